import * as v from 'valibot'
import { filled, optionalLines, Whole } from '../wire.ts'
import { completing, entriesOf, type Fields, filed, OneLine, PathSegment } from './fields.ts'

/** A group of wines and products, which refer to it by its id, files by its name. */
export const categoryFields = {
  id: { schema: v.number(), description: 'Id of the category.' },
  name: {
    ...filed(filled()),
    description: 'Name of the category.',
    inFiles: 'A row finds it by it.',
    example: 'Sommerweine',
  },
  path_segment: {
    ...filed(PathSegment),
    description: "Name in URLs, unique among the merchant's categories.",
    inFiles: 'It follows from the name if left out.',
    example: 'sommerweine',
  },
  description: {
    ...filed(optionalLines(10_000)),
    default: null,
    description: 'Description of the category; it may have several lines.',
    example: 'Leicht und frisch.',
  },
  image: { schema: OneLine, default: null, description: 'Path of the picture.' },
  sorting: {
    ...filed(Whole),
    default: 0,
    description: 'Rank in sorted lists; the lowest number comes first.',
    example: 10,
  },
} as const satisfies Fields

export const Category = v.strictObject(entriesOf(categoryFields, 'schema'))
export type Category = v.InferOutput<typeof Category>

export const completeCategory = completing(categoryFields, 'schema')
