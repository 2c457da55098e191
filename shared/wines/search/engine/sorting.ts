import type { Base } from './base.ts'
import { type Column, valueAt } from './columns.ts'
import { rankOf } from './dictionary.ts'
import { columnOf, kindOf } from './fields.ts'
import type { Row } from './row.ts'
import { type SortOrder, sortOrderKey, type Term } from './sort-order.ts'
import { compareKeys, type Scalar, sortKey } from './values.ts'

/** All rows of a base in one order, and where rows from outside the base belong (before the n-th of them). */
export type Sorting = { rows: Uint32Array; places: WeakMap<Row, number> }

const SORTINGS_KEPT = 8

/** The sorting of a base by an order; the ones used last are remembered. */
export const sortingOf = (base: Base, order: SortOrder): Sorting => {
  const key = sortOrderKey(order)
  const sorting = base.sortings.get(key) ?? { rows: sortRows(base, order), places: new WeakMap() }
  base.sortings.delete(key)
  base.sortings.set(key, sorting)
  if (base.sortings.size > SORTINGS_KEPT) base.sortings.delete(base.sortings.keys().next().value as string)
  return sorting
}

const sortRows = (base: Base, order: SortOrder): Uint32Array => {
  const rows = new Uint32Array(base.ids.length).map((_, row) => row)
  const weights = order.map(term => weightsOf(base, term))
  // Rows stand by ascending id, so the row number settles ties.
  return rows.sort((a, b) => {
    for (let term = 0; term < weights.length; term++) {
      const weight = weights[term] as Int32Array
      const difference = (weight[a] as number) - (weight[b] as number)
      if (difference !== 0) return difference
    }
    return a - b
  })
}

const weightsOf = (base: Base, { field, descending }: Term): Int32Array => {
  const { codes, dictionary } = base.columns[columnOf(field)] as Column
  const rank = rankOf(dictionary, kindOf(field))
  const weights = new Int32Array(codes.length)
  for (let row = 0; row < codes.length; row++) weights[row] = rank[codes[row] as number] as number
  return descending ? weights.map(weight => -weight) : weights
}

/** What one term compares: a column number, the sort keys of both sides, and the direction. */
const comparing = (order: SortOrder) =>
  order.map(({ field, descending }) => {
    const kind = kindOf(field)
    const compare = (a: Scalar, b: Scalar) => compareKeys(sortKey(kind, a), sortKey(kind, b))
    return { column: columnOf(field), compare: descending ? (a: Scalar, b: Scalar) => compare(b, a) : compare }
  })

/** Compares rows outside the base. */
export const rowComparison = (order: SortOrder): ((a: Row, b: Row) => number) => {
  const terms = comparing(order)
  return (a, b) => {
    for (const { column, compare } of terms) {
      const difference = compare(a.scalars[column] as Scalar, b.scalars[column] as Scalar)
      if (difference !== 0) return difference
    }
    return a.id - b.id
  }
}

/** Gives the place of rows outside the base in a sorting of it: how many of the base's rows come before. */
export const placing = (base: Base, order: SortOrder, { rows, places }: Sorting): ((row: Row) => number) => {
  const terms = comparing(order)
  const comesAfter = (row: Row, other: number): boolean => {
    for (const { column, compare } of terms) {
      const difference = compare(row.scalars[column] as Scalar, valueAt(base.columns[column] as Column, other))
      if (difference !== 0) return difference > 0
    }
    return row.id > (base.ids[other] as number)
  }
  const find = (row: Row): number => {
    let low = 0
    let high = rows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (comesAfter(row, rows[middle] as number)) low = middle + 1
      else high = middle
    }
    return low
  }
  return row => {
    const place = places.get(row) ?? find(row)
    places.set(row, place)
    return place
  }
}
