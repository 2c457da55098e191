import { addCategory } from '../../../shared/catalogue/category-edit.ts'
import { categoriesAdd } from '../../../shared/contract/routes/categories.ts'
import { idempotencyKeyOf } from '../../../shared/http/request.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(categoriesAdd, async ({ merchant, body, headers, setHeader }) => {
  const idempotencyKey = idempotencyKeyOf(headers, 'categories/add')
  const { record, replayed } = await addCategory(merchant, { change: body.data, idempotencyKey })
  if (replayed) setHeader('idempotency-replayed', 'true')
  return record
})
