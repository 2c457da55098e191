import { LRUCache } from 'lru-cache'
import { columnOf, kindOf } from '../../../contract/records/wine-fields.ts'
import type { Scalar, SortOrder } from '../../../contract/wine-query.ts'
import type { Base } from './base.ts'
import { columnAt, valueAt } from './columns.ts'
import { rankOf } from './dictionary.ts'
import { firstPlace, numberAt } from './numbers.ts'
import type { Row } from './row.ts'
import { compareKeys, sortKey } from './values.ts'

/** One text for each order, the same for orders that are the same. */
const sortOrderKey = (order: SortOrder): string =>
  order.map(({ field, descending }) => (descending ? `${field} desc` : field)).join()

/** All rows of a base in one order, and where rows from outside the base belong (before the n-th of them). */
export type Sorting = { rows: Uint32Array; places: WeakMap<Row, number> }

/** What each row weighs in one term: the rank of its value, below zero in a descending order. */
const weightsOf = (base: Base, { field, descending }: SortOrder[number]): Float64Array => {
  const { codes, dictionary } = columnAt(base.columns, columnOf(field))
  const rank = rankOf(dictionary, kindOf(field))
  const sign = descending ? -1 : 1
  return new Float64Array(codes).map(code => sign * numberAt(rank, code))
}

const sortRows = (base: Base, order: SortOrder): Uint32Array => {
  const weights = order.map(term => weightsOf(base, term))
  // Rows stand by ascending id, so the row number settles ties.
  return new Uint32Array(base.ids.length)
    .map((_, row) => row)
    .sort((a, b) => {
      for (const weight of weights) {
        const difference = numberAt(weight, a) - numberAt(weight, b)
        if (difference !== 0) return difference
      }
      return a - b
    })
}

/** The sortings of a base by the text of their order: of those used last, a few. */
export type Sortings = LRUCache<string, Sorting>

/** Sortings of which none is known yet. */
export const newSortings = (): Sortings => new LRUCache({ max: 8 })

/** Sortings of which one is known. */
export const sortingsWith = (order: SortOrder, sorting: Sorting): Sortings =>
  newSortings().set(sortOrderKey(order), sorting)

/** The sorting of a base by an order. */
export const sortingOf = (base: Base, order: SortOrder): Sorting => {
  const key = sortOrderKey(order)
  const known = base.sortings.get(key)
  if (known) return known
  const sorting: Sorting = { rows: sortRows(base, order), places: new WeakMap() }
  base.sortings.set(key, sorting)
  return sorting
}

/** What one term compares: a column number, the sort keys of both sides, and the direction. */
const comparing = (order: SortOrder) =>
  order.map(({ field, descending }) => {
    const kind = kindOf(field)
    const compare = (a: Scalar, b: Scalar) => compareKeys(sortKey(kind, a), sortKey(kind, b))
    return { column: columnOf(field), compare: descending ? (a: Scalar, b: Scalar) => compare(b, a) : compare }
  })

const scalarAt = ({ scalars }: Row, column: number): Scalar => scalars[column] ?? null

/** Compares rows outside the base. */
export const rowComparison = (order: SortOrder): ((a: Row, b: Row) => number) => {
  const terms = comparing(order)
  return (a, b) => {
    for (const { column, compare } of terms) {
      const difference = compare(scalarAt(a, column), scalarAt(b, column))
      if (difference !== 0) return difference
    }
    return a.id - b.id
  }
}

/** Gives the place of rows outside the base in a sorting of it: how many of the base's rows come before. */
export const placing = (base: Base, order: SortOrder, { rows, places }: Sorting): ((row: Row) => number) => {
  const terms = comparing(order)
  const isBefore = (row: Row, other: number): boolean => {
    for (const { column, compare } of terms) {
      const difference = compare(scalarAt(row, column), valueAt(columnAt(base.columns, column), other))
      if (difference !== 0) return difference < 0
    }
    return row.id < numberAt(base.ids, other)
  }
  return row => {
    const place = places.get(row) ?? firstPlace(rows.length, n => isBefore(row, numberAt(rows, n)))
    places.set(row, place)
    return place
  }
}
