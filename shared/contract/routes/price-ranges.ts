import * as v from 'valibot'
import { NewPriceRange, PriceRange } from '../records/price-range.ts'
import { keyHeaders, route } from '../route.ts'
import { described, Id, wholePaging } from '../schema/wire.ts'

export const priceRangesGetAll = route({
  path: '/service/priceRanges/getAll',
  level: 'service',
  role: 'desk',
  envelope: 'list',
  permissions: { priceRange: ['query'] },
  body: v.object(wholePaging),
  response: PriceRange,
  summary: "Lists the merchant's price ranges: groups of clients with their own prices.",
})

export const priceRangesEdit = route({
  path: '/service/priceRanges/edit',
  level: 'service',
  role: 'desk',
  permissions: {
    priceRange: ['get', 'query', 'put'],
    recordsVersion: ['get', 'put'],
    idempotency: ['get', 'put'],
    quota: ['get'],
    product: ['get', 'query'],
    wine: ['query'],
    catalogue: ['get', 'check'],
  },
  // A new name that a range has already is the same range.
  repeat: 'with key',
  headers: keyHeaders,
  // It may have to look at all wines.
  timeout: 29,
  body: v.object({
    id: described(v.nullish(Id), 'Id of the price range; a new one is added if it is left out.'),
    data: described(NewPriceRange, 'The name of the price range.'),
  }),
  response: PriceRange,
  errors: ['price_range_not_found', 'price_range_in_use', 'name_taken', 'idempotency_key_reused'],
  summary:
    'Renames a price range, or adds one if `id` is left out. A range for which a wine or product has a price keeps its name, which these records contain.',
})
