import { packagesAdd } from '../../../shared/contract/routes/packaging.ts'
import { idempotencyKeyOf } from '../../../shared/http/request.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { addPackage } from '../../../shared/orders/shipping/packages.ts'

export const handler = serveMerchant(packagesAdd, async ({ merchant, body, headers, setHeader }) => {
  const idempotencyKey = idempotencyKeyOf(headers, 'packages/add')
  const { record, replayed } = await addPackage(merchant, { change: body.data, idempotencyKey })
  if (replayed) setHeader('idempotency-replayed', 'true')
  return record
})
