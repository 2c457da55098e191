import * as v from 'valibot'
import { filled, optionalLines, Whole } from '../wire.ts'
import { completing, entriesOf, type Fields, filed, OneLine, PathSegment } from './fields.ts'

/** A group of wines and products, which name it by its id, files by its name. */
export const categoryFields = {
  id: { schema: v.number() },
  name: { ...filed(filled()), meaning: 'Name of the category, by which a row finds it.', example: 'Sommerweine' },
  path_segment: {
    ...filed(PathSegment),
    meaning: 'Name in URLs, unlike that of any other category; it follows from the name where it is left out.',
    example: 'sommerweine',
  },
  description: {
    ...filed(optionalLines(10_000)),
    default: null,
    meaning: 'Description of the category; it may have several lines.',
    example: 'Leicht und frisch.',
  },
  image: { schema: OneLine, default: null },
  sorting: {
    ...filed(Whole),
    default: 0,
    meaning: 'Place in sorted lists; the lowest number comes first.',
    example: 10,
  },
} as const satisfies Fields

/** A category as it is stored and shown. */
export const Category = v.strictObject(entriesOf(categoryFields, 'schema'))
export type Category = v.InferOutput<typeof Category>

/** A category with what is known of it. */
export const completeCategory = completing(categoryFields, 'schema')
