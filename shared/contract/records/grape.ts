import * as v from 'valibot'
import { filled, Id } from '../wire.ts'
import { entriesOf, type Fields, filed } from './fields.ts'

/** A merchant's own grape variety; wines refer to it by its id. A label of that id takes precedence. */
export const grapeFields = {
  id: {
    ...filed(Id),
    description: 'Id of the grape, by which wines name it.',
    inFiles: 'A row finds it by it.',
    example: 200001,
  },
  name: { ...filed(filled()), required: true, description: 'Name of the grape.', example: 'Souvignier gris' },
} as const satisfies Fields

export const Grape = v.strictObject(entriesOf(grapeFields, 'schema'))
export type Grape = v.InferOutput<typeof Grape>
