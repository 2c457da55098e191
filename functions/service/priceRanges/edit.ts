import { addPriceRange, renamePriceRange } from '../../../shared/catalogue/price-ranges.ts'
import { priceRangesEdit } from '../../../shared/contract/routes/price-ranges.ts'
import { idempotencyKeyOf } from '../../../shared/http/request.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(priceRangesEdit, async ({ merchant, body, headers, setHeader }) => {
  const { id, data } = body
  const idempotencyKey = idempotencyKeyOf(headers, 'priceRanges/edit')
  // A repeated change of a name changes nothing more, with and without its key.
  if (id) return renamePriceRange(merchant, id, data)
  const { record, replayed } = await addPriceRange(merchant, { change: data, idempotencyKey })
  if (replayed) setHeader('idempotency-replayed', 'true')
  return record
})
