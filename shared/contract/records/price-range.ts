import * as v from 'valibot'
import { confidential, entriesOf, type FieldTable, givenEntries } from '../schema/fields.ts'
import { filled } from '../schema/wire.ts'

/** A group of clients with their own prices; files refer to it by its name. */
export const priceRangeFields = {
  id: { schema: v.number(), description: 'Id of the price range.' },
  name: {
    ...confidential(filled()),
    description: "Name of the price range, unique among the merchant's; in files, prices and clients name it by this.",
    example: 'Gastronomie',
  },
} as const satisfies FieldTable

export const PriceRange = v.strictObject(entriesOf(priceRangeFields, 'schema'))
export type PriceRange = v.InferOutput<typeof PriceRange>

/** The data of priceRanges/edit. */
export const NewPriceRange = v.strictObject(givenEntries(priceRangeFields, 'body', ['name']))
export type NewPriceRange = v.InferOutput<typeof NewPriceRange>
