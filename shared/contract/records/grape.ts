import * as v from 'valibot'
import { entriesOf, type FieldTable, filed } from '../schema/fields.ts'
import { filled, Id } from '../schema/wire.ts'

/** A merchant's own grape variety; wines refer to it by its id. A label of that id takes precedence. */
export const grapeFields = {
  id: {
    ...filed(Id),
    description: 'Id of the grape, by which wines name it.',
    inFiles: 'A row finds it by it.',
    example: 200001,
  },
  name: { ...filed(filled()), required: true, description: 'Name of the grape.', example: 'Souvignier gris' },
} as const satisfies FieldTable

export const Grape = v.strictObject(entriesOf(grapeFields, 'schema'))
export type Grape = v.InferOutput<typeof Grape>
