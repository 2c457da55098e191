import type { IdList, IndexedField, ScalarField, SearchableField } from '../records/wine-fields.ts'
import type { SortTerm } from './lists.ts'

/** A value of a scalar field. */
export type Scalar = string | number | null

/** A phrase of an object query: a folded text that the field must contain, or an id that the list must contain. */
export type Phrase =
  | { field: SearchableField | ScalarField; text: string; id?: undefined }
  | { field: IdList; id: number; text?: undefined }

/** A folded text for any searchable field, or phrases that must all match. */
export type Query = { anywhere: string; phrases?: undefined } | { phrases: Phrase[]; anywhere?: undefined }

/** A field must have one of these sort keys; null means no value or an empty list. */
export type Condition = { field: IndexedField | IdList; keys: Scalar[] }

/** Conditions that must all be met. */
export type Filter = Condition[]

/** Sort keys by weight; ties are ordered by ascending id. */
export type SortOrder = SortTerm<ScalarField>[]

/** The default order of lists. */
export const defaultSortOrder: SortOrder = [
  { field: 'chstamp', descending: true },
  { field: 'name', descending: false },
]
