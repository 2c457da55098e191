import { LRUCache } from 'lru-cache'
import { columnOf, valueKindOf } from '../contract/records/wine-fields.ts'
import { defaultSortOrder, type Scalar, type SortOrder } from '../contract/schema/wine-query.ts'
import { type Column, columnAt } from './columns.ts'
import { rankOf } from './dictionary.ts'
import { countingSort, placesIn } from './numbers.ts'
import { compareKeys, sortKey } from './values.ts'

/** A text that identifies an order. */
const sortOrderKey = (order: SortOrder): string =>
  order.map(({ field, descending }) => (descending ? `${field} desc` : field)).join()

const defaultKey = sortOrderKey(defaultSortOrder)

/** True if an order is that of the rows of segments. */
export const isDefault = (order: SortOrder): boolean => order === defaultSortOrder || sortOrderKey(order) === defaultKey

/** All rows of a segment in one order, and the place of each row in it, made when first needed. */
export type Sorting = { rows: Uint32Array; places?: Uint32Array }

/** The recently used sortings of a segment by the text of their order. */
export type Sortings = LRUCache<string, Sorting>

export const newSortings = (): Sortings => new LRUCache({ max: 8 })

/** The rows of a segment to be sorted: their columns, and their order by id. */
type Sorted = { columns: readonly Column[]; byId: Uint32Array; sortings: Sortings }

/** Sorts rows by a term, stably. */
const sortedBy = (rows: Uint32Array, { columns }: Sorted, { field, descending }: SortOrder[number]): Uint32Array => {
  const { codes, dictionary } = columnAt(columns, columnOf(field))
  const ranks = rankOf(dictionary, valueKindOf(field))
  const weights = new Uint32Array(codes.length)
  for (let row = 0; row < codes.length; row++) {
    const rank = ranks[codes[row]]
    weights[row] = descending ? dictionary.size - 1 - rank : rank
  }
  return countingSort(weights, dictionary.size, rows)
}

// A stable sort by each term, from the last to the first.
const sortRows = (segment: Sorted, order: SortOrder): Uint32Array =>
  order.reduceRight((rows, term) => sortedBy(rows, segment, term), segment.byId)

/** The sorting of a segment by an order; undefined for the default order, which its rows are in. */
export const sortingOf = (segment: Sorted, order: SortOrder): Sorting | undefined => {
  if (isDefault(order)) return undefined
  const key = sortOrderKey(order)
  const known = segment.sortings.get(key)
  if (known) return known
  const sorting: Sorting = { rows: sortRows(segment, order) }
  segment.sortings.set(key, sorting)
  return sorting
}

/** The place of each row in a sorting. */
export const placesOf = (sorting: Sorting): Uint32Array => {
  sorting.places ??= placesIn(sorting.rows)
  return sorting.places
}

/** An id, and the values of columns, for comparisons. */
export type Sortable = { id: number; valueOf: (column: number) => Scalar }

/** Compares wines by an order, then by ascending id. */
export const comparison = (order: SortOrder): ((a: Sortable, b: Sortable) => number) => {
  const terms = order.map(({ field, descending }) => {
    const kind = valueKindOf(field)
    const compare = (a: Scalar, b: Scalar) => compareKeys(sortKey(kind, a), sortKey(kind, b))
    return { column: columnOf(field), compare: descending ? (a: Scalar, b: Scalar) => compare(b, a) : compare }
  })
  return (a, b) => {
    for (const { column, compare } of terms) {
      const difference = compare(a.valueOf(column), b.valueOf(column))
      if (difference !== 0) return difference
    }
    return a.id - b.id
  }
}
