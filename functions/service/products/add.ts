import { addProduct } from '../../../shared/catalogue/products/edit.ts'
import { productsAdd } from '../../../shared/contract/routes/products.ts'
import { idempotencyKeyOf } from '../../../shared/http/request.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(productsAdd, async ({ merchant, session, body, headers, setHeader }) => {
  const idempotencyKey = idempotencyKeyOf(headers, 'products/add')
  const { record, replayed } = await addProduct(merchant, session.user.id, { change: body.data, idempotencyKey })
  if (replayed) setHeader('idempotency-replayed', 'true')
  return record
})
