import { columnOf, type FilterField, idLists, isIdList, kindOf } from '../../../contract/records/wine-fields.ts'
import type { Scalar } from '../../../contract/wine-query.ts'
import type { Base } from './base.ts'
import { type Counts, collectIds, collectValues, columnAt, countIds, countValues } from './columns.ts'
import type { Row } from './row.ts'
import { compareKeys, sortKey } from './values.ts'

// By code units first, so that values which collate alike come in one order whatever their origin.
const inOrder = (field: FilterField, values: Iterable<Scalar>): (string | number)[] => {
  const kind = kindOf(field)
  return [...values]
    .filter(value => value !== null)
    .sort()
    .sort((a, b) => compareKeys(sortKey(kind, a), sortKey(kind, b)))
}

/** The distinct values of a field among marked rows of a base and rows beside it, sorted, without null. */
export const distinctOf = (
  base: Base,
  hits: Uint8Array,
  rows: readonly Row[],
  field: FilterField,
): (string | number)[] => {
  const values = new Set<Scalar>()
  if (isIdList(field)) {
    const list = idLists.indexOf(field)
    collectIds(hits, columnAt(base.lists, list), values)
    for (const row of rows) for (const id of row.lists[list] ?? []) values.add(id)
  } else {
    const column = columnOf(field)
    collectValues(hits, columnAt(base.columns, column), values)
    for (const row of rows) values.add(row.scalars[column] ?? null)
  }
  return inOrder(field, values)
}

/** Values of a field, sorted, without null, each with the number of wines that a filter by it would leave. */
export type CountedValues = [value: string | number, count: number][]

/** Counts the distinct values of a field among marked rows of a base and rows beside it. */
export const countsOf = (base: Base, hits: Uint8Array, rows: readonly Row[], field: FilterField): CountedValues => {
  const counts: Counts = new Map()
  const add = (value: Scalar) => counts.set(value, (counts.get(value) ?? 0) + 1)
  if (isIdList(field)) {
    const list = idLists.indexOf(field)
    countIds(hits, columnAt(base.lists, list), counts)
    for (const row of rows) for (const id of new Set(row.lists[list])) add(id)
  } else {
    const column = columnOf(field)
    countValues(hits, columnAt(base.columns, column), counts)
    for (const row of rows) add(row.scalars[column] ?? null)
  }
  // A filter compares amounts: it finds 0.75 by 0.750.
  const kind = kindOf(field)
  const byKey: Counts = new Map()
  for (const [value, count] of counts) {
    const key = sortKey(kind, value)
    byKey.set(key, (byKey.get(key) ?? 0) + count)
  }
  return inOrder(field, counts.keys()).map(value => [value, byKey.get(sortKey(kind, value)) ?? 0])
}
