import { LRUCache } from 'lru-cache'
import { columnOf, kindOf } from '../contract/records/wine-fields.ts'
import { defaultSortOrder, type Scalar, type SortOrder } from '../contract/wine-query.ts'
import { type Column, columnAt } from './columns.ts'
import { rankOf } from './dictionary.ts'
import { numberAt, sortedPlaces } from './numbers.ts'
import { compareKeys, sortKey } from './values.ts'

/** One text for each order, the same for orders that are the same. */
const sortOrderKey = (order: SortOrder): string =>
  order.map(({ field, descending }) => (descending ? `${field} desc` : field)).join()

const defaultKey = sortOrderKey(defaultSortOrder)

/** Whether an order is the one in which the rows of segments stand. */
export const isDefault = (order: SortOrder): boolean => order === defaultSortOrder || sortOrderKey(order) === defaultKey

/** All rows of a segment in one order, and the place of each row in it, made when first needed. */
export type Sorting = { rows: Uint32Array; places?: Uint32Array }

/** The sortings of a segment by the text of their order: of those used last, a few. */
export type Sortings = LRUCache<string, Sorting>

/** Sortings of which none is known yet. */
export const newSortings = (): Sortings => new LRUCache({ max: 8 })

/** The rows of a segment to be sorted: their columns, and their order by id. */
type Sorted = { columns: readonly Column[]; byId: Uint32Array; sortings: Sortings }

/** Rows in the order of one term; what it leaves equal stays as it stands. */
const sortedBy = (rows: Uint32Array, { columns }: Sorted, { field, descending }: SortOrder[number]): Uint32Array => {
  const { codes, dictionary } = columnAt(columns, columnOf(field))
  const ranks = rankOf(dictionary, kindOf(field))
  const weights = new Uint32Array(codes.length)
  for (let row = 0; row < codes.length; row++) {
    const rank = ranks[codes[row]]
    weights[row] = descending ? dictionary.size - 1 - rank : rank
  }
  return sortedPlaces(weights, dictionary.size, rows)
}

// From the last term to the first one, beginning with what decides last.
const sortRows = (segment: Sorted, order: SortOrder): Uint32Array =>
  order.reduceRight((rows, term) => sortedBy(rows, segment, term), segment.byId)

/** The sorting of a segment by an order; undefined for the default order, in which its rows stand. */
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
  if (sorting.places) return sorting.places
  const places = new Uint32Array(sorting.rows.length)
  for (let place = 0; place < places.length; place++) places[numberAt(sorting.rows, place)] = place
  sorting.places = places
  return places
}

/** What an order looks at: an id, and the value at the place of a column. */
export type Sortable = { id: number; valueOf: (column: number) => Scalar }

/** Compares wines by an order; what it leaves equal goes by ascending id. */
export const comparison = (order: SortOrder): ((a: Sortable, b: Sortable) => number) => {
  const terms = order.map(({ field, descending }) => {
    const kind = kindOf(field)
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
