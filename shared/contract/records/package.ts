import * as v from 'valibot'
import { packageTypes } from '../vocabulary.ts'
import { Id, Whole } from '../wire.ts'
import { completing, entriesOf, type Fields, filed } from './fields.ts'
import { oneOf, Price, TaxRate } from './values.ts'

const Bound = v.nullable(Whole)

/** What sending an order costs (the item of a package position, interface document 2.3); null leaves a range open. */
export const packageFields = {
  id: filed(Id),
  type: { ...filed(oneOf(packageTypes)), default: 'bottles' },
  min_bottles: { ...filed(Bound), default: null },
  max_bottles: { ...filed(Bound), default: null },
  min_weight: { ...filed(Bound), default: null },
  max_weight: { ...filed(Bound), default: null },
  gross: filed(Price),
  net: filed(Price),
  tax: filed(Price),
  taxrate: filed(TaxRate),
  customers_id: { schema: v.number() },
} as const satisfies Fields

/** A package as it is stored and shown. */
export const Package = v.strictObject(entriesOf(packageFields, 'schema'))
export type Package = v.InferOutput<typeof Package>

/** A package with what is known of it; a bound that is not given is open. */
export const completePackage = completing(packageFields, 'schema')
