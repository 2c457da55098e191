import { columnOf, type FilterField, idLists, isIdList, valueKindOf } from '../contract/records/wine-fields.ts'
import type { Scalar } from '../contract/schema/wine-query.ts'
import { addCounts, type Counts, columnAt } from './columns.ts'
import type { Hits } from './hits.ts'
import { compareKeys, sortKey } from './values.ts'

// By code units first, so that values that collate alike are in one order, whatever their origin.
const inOrder = (field: FilterField, values: Iterable<Scalar>): (string | number)[] => {
  const kind = valueKindOf(field)
  return [...values]
    .filter(value => value !== null)
    .sort()
    .sort((a, b) => compareKeys(sortKey(kind, a), sortKey(kind, b)))
}

const valueCounts = ({ parts, rows }: Hits, field: FilterField): Counts => {
  const counts: Counts = new Map()
  const add = (value: Scalar) => counts.set(value, (counts.get(value) ?? 0) + 1)
  if (isIdList(field)) {
    const list = idLists.indexOf(field)
    for (const { segment, bits } of parts) addCounts(bits, columnAt(segment.lists, list), counts)
    for (const row of rows) for (const id of new Set(row.lists[list])) add(id)
  } else {
    const column = columnOf(field)
    for (const { segment, bits } of parts) addCounts(bits, columnAt(segment.columns, column), counts)
    for (const row of rows) add(row.scalars[column] ?? null)
  }
  return counts
}

/** The distinct values of a field among hits, sorted, without null. */
export const distinctOf = (hits: Hits, field: FilterField): (string | number)[] =>
  inOrder(field, valueCounts(hits, field).keys())

/** Values of a field, sorted, without null, each with the number of wines that a filter by it finds. */
export type CountedValues = [value: string | number, count: number][]

export const countsOf = (hits: Hits, field: FilterField): CountedValues => {
  const counts = valueCounts(hits, field)
  // Like a filter, which compares amounts: 0.75 equals 0.750.
  const kind = valueKindOf(field)
  const byKey: Counts = new Map()
  for (const [value, count] of counts) {
    const key = sortKey(kind, value)
    byKey.set(key, (byKey.get(key) ?? 0) + count)
  }
  return inOrder(field, counts.keys()).map(value => [value, byKey.get(sortKey(kind, value)) ?? 0])
}
