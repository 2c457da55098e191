import * as v from 'valibot'
import { filled, Id } from '../wire.ts'
import { entriesOf, type Fields, filed } from './fields.ts'

/** A grape variety of a merchant's own; wines name it by its id. Where that id has a label, the label counts. */
export const grapeFields = {
  id: filed(Id),
  name: { ...filed(filled()), required: true },
} as const satisfies Fields

/** A grape as it is stored and shown. */
export const Grape = v.strictObject(entriesOf(grapeFields, 'schema'))
export type Grape = v.InferOutput<typeof Grape>
