import * as v from 'valibot'
import { filled } from '../wire.ts'
import { entriesOf, type Fields, filed } from './fields.ts'

/** A group of clients with prices of its own; files know it by its name. */
export const priceRangeFields = {
  id: { schema: v.number() },
  name: {
    ...filed(filled()),
    meaning: 'Name of the price range, by which prices and clients name it.',
    example: 'Gastronomie',
  },
} as const satisfies Fields

/** A price range as it is stored and shown. */
export const PriceRange = v.strictObject(entriesOf(priceRangeFields, 'schema'))
export type PriceRange = v.InferOutput<typeof PriceRange>
