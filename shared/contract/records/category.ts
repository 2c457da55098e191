import * as v from 'valibot'
import { filled, optionalLines, Whole } from '../wire.ts'
import { completing, entriesOf, type Fields, filed } from './fields.ts'
import { OneLine, PathSegment } from './values.ts'

/** A group of wines and products, which name it by its id, files by its name. */
export const categoryFields = {
  id: { schema: v.number() },
  name: filed(filled()),
  path_segment: filed(PathSegment),
  description: { ...filed(optionalLines(10_000)), default: null },
  image: { schema: OneLine, default: null },
  sorting: { ...filed(Whole), default: 0 },
} as const satisfies Fields

/** A category as it is stored and shown. */
export const Category = v.strictObject(entriesOf(categoryFields, 'schema'))
export type Category = v.InferOutput<typeof Category>

/** A category with what is known of it. */
export const completeCategory = completing(categoryFields, 'schema')
