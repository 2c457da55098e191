import * as v from 'valibot'
import { packageTypes } from '../vocabulary.ts'
import { Id, Whole } from '../wire.ts'
import { completing, entriesOf, type Fields, filed, oneOf, Price, TaxRate } from './fields.ts'

const Bound = v.nullable(Whole)

/** What sending an order costs (the item of a package position, interface document 2.3); null leaves a range open. */
export const packageFields = {
  id: {
    ...filed(Id),
    meaning: 'Number by which a row finds its package; without it, the range of bottles does.',
    example: 3,
  },
  type: {
    ...filed(oneOf(packageTypes)),
    default: 'bottles',
    meaning: 'Measure by which the package is chosen.',
    example: 'bottles',
  },
  min_bottles: {
    ...filed(Bound),
    default: null,
    meaning: 'Fewest bottles of the package; empty sets no limit.',
    example: 1,
  },
  max_bottles: {
    ...filed(Bound),
    default: null,
    meaning: 'Most bottles of the package; empty sets no limit.',
    example: 6,
  },
  min_weight: {
    ...filed(Bound),
    default: null,
    meaning: 'Least weight of the package; it is kept, and bottles alone decide. Empty sets no limit.',
    example: 1,
  },
  max_weight: {
    ...filed(Bound),
    default: null,
    meaning: 'Greatest weight of the package; it is kept, and bottles alone decide. Empty sets no limit.',
    example: 9,
  },
  gross: {
    ...filed(Price),
    meaning: 'Price of the shipment with tax, in euros; a package needs it, or net.',
    example: '9.90',
  },
  net: {
    ...filed(Price),
    meaning: 'Price without tax, in euros; it follows from gross and taxrate where it is left out.',
    example: '8.32',
  },
  tax: {
    ...filed(Price),
    meaning: 'Tax in the price, in euros; it follows from gross and taxrate where it is left out.',
    example: '1.58',
  },
  taxrate: { ...filed(TaxRate), meaning: 'Tax rate of the price, in percent.', example: 7 },
  customers_id: { schema: v.number() },
} as const satisfies Fields

/** A package as it is stored and shown. */
export const Package = v.strictObject(entriesOf(packageFields, 'schema'))
export type Package = v.InferOutput<typeof Package>

/** A package with what is known of it; a bound that is not given is open. */
export const completePackage = completing(packageFields, 'schema')
