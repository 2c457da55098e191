import * as v from 'valibot'
import {
  confidential,
  createCompletion,
  entriesOf,
  type FieldTable,
  givenEntries,
  OneLine,
  PathSegment,
} from '../schema/fields.ts'
import { filled, optionalLines, Whole } from '../schema/wire.ts'

/** A group of wines and products, which refer to it by its id, files by its name. */
export const categoryFields = {
  id: { schema: v.number(), description: 'Id of the category.' },
  name: {
    ...confidential(filled()),
    description: "Name of the category, unique among the merchant's.",
    inFiles: 'A row finds it by it.',
    example: 'Sommerweine',
  },
  path_segment: {
    ...confidential(PathSegment),
    description:
      "Name in URLs, unique among the merchant's categories; follows from the name of a new one if left out.",
    example: 'sommerweine',
  },
  description: {
    ...confidential(optionalLines(10_000)),
    default: null,
    description: 'Description of the category; it may have several lines.',
    example: 'Leicht und frisch.',
  },
  image: { schema: OneLine, default: null, description: 'Path of the picture.' },
  sorting: {
    ...confidential(Whole),
    default: 0,
    description: 'Rank in sorted lists; the lowest number comes first.',
    example: 10,
  },
} as const satisfies FieldTable

export const Category = v.strictObject(entriesOf(categoryFields, 'schema'))
export type Category = v.InferOutput<typeof Category>

export const completeCategory = createCompletion(categoryFields, 'schema')

/** The data of categories/add. */
export const NewCategory = v.strictObject(givenEntries(categoryFields, 'body', ['name']))
export type NewCategory = v.InferOutput<typeof NewCategory>

/** The data of categories/edit: only what changes. */
export const CategoryChange = v.strictObject(givenEntries(categoryFields, 'body', []))
export type CategoryChange = v.InferOutput<typeof CategoryChange>
