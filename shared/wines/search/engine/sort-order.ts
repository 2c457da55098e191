import type { ScalarField } from './fields.ts'

/** One key of a sort order. */
export type Term = { field: ScalarField; descending: boolean }

/** Sort keys by weight; what they leave equal is ordered by ascending id. */
export type SortOrder = Term[]

/** The order of a list that names none. */
export const defaultSortOrder: SortOrder = [
  { field: 'chstamp', descending: true },
  { field: 'name', descending: false },
]

/** One text for each order, the same for orders that are the same. */
export const sortOrderKey = (order: SortOrder): string =>
  order.map(({ field, descending }) => (descending ? `${field} desc` : field)).join()
