import type { SortTerm } from './lists.ts'
import type { IdList, ScalarField, SearchableField } from './records/wine-fields.ts'

/** One value of a scalar field. */
export type Scalar = string | number | null

/** One phrase of an object query: a folded text the field must contain, or an id the list must hold. */
export type Phrase =
  | { field: SearchableField | ScalarField; text: string; id?: undefined }
  | { field: IdList; id: number; text?: undefined }

/** A query: one folded text for any searchable field, or phrases that must all be met. */
export type Query = { anywhere: string; phrases?: undefined } | { phrases: Phrase[]; anywhere?: undefined }

/** A field that must have one of some values, given as sort keys; null stands for no value or an empty list. */
export type Condition = { field: ScalarField | IdList; keys: Scalar[] }

/** Conditions that must all hold. */
export type Filter = Condition[]

/** Sort keys by weight; what they leave equal is ordered by ascending id. */
export type SortOrder = SortTerm<ScalarField>[]

/** The order of a list that names none. */
export const defaultSortOrder: SortOrder = [
  { field: 'chstamp', descending: true },
  { field: 'name', descending: false },
]
