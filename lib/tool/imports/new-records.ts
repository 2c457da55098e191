import { timeOrderedId } from '../../../shared/values/time.ts'
import type { Refuse } from './plan.ts'

/** Ids for new records, in their order: the wanted id if it is free, else an id made from the time. */
export const freshIds = (wanted: readonly (number | undefined)[], taken: Iterable<number>): number[] => {
  const used = new Set(taken)
  const granted = wanted.map(id => {
    if (id === undefined || used.has(id)) return undefined
    used.add(id)
    return id
  })
  const makeId = (): number => {
    const id = timeOrderedId()
    return used.has(id) ? makeId() : id
  }
  return granted.map(id => id ?? makeId())
}

/** Rows with the ids of their new records. */
export const withFreshIds = <Row extends { id?: number | undefined }>(
  rows: readonly Row[],
  taken: Iterable<number>,
): { id: number; row: Row }[] =>
  freshIds(
    rows.map(({ id }) => id),
    taken,
  ).flatMap((id, n) => {
    const row = rows[n]
    return row ? [{ id, row }] : []
  })

type Numbered<Column extends string> = { id?: number | undefined } & { [C in Column]?: string | null | undefined }

/** Returns the key of rows and records: the number in a column, or of one without it the id. */
export const numberOrId = <Column extends string>(column: Column, present: readonly Numbered<Column>[]) => {
  // A row may name a record that has a number by its id alone.
  const numbers = new Map(present.map(one => [one.id, one[column]]))
  return (one: Numbered<Column>): string | number | undefined => one[column] ?? numbers.get(one.id) ?? one.id
}

type Segment = { path_segment?: string | null | undefined }

/** Refuses a path_segment that another record of the file or the table has. */
export const segmentOnce = <Row extends Segment, Found extends Segment>(
  present: readonly Found[],
  keyOf: (one: Row | Found) => unknown,
  expected: string,
) => {
  const owners = new Map(present.map(one => [one.path_segment, keyOf(one)]))
  return (row: Row, refuse: Refuse): void => {
    if (row.path_segment === undefined) return
    const key = keyOf(row)
    const owner = owners.get(row.path_segment) ?? key
    if (owner !== key) refuse('path_segment', 'unique', expected)
    owners.set(row.path_segment, key)
  }
}
