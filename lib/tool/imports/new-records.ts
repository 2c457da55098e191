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
  const made = (): number => {
    const id = timeOrderedId()
    return used.has(id) ? made() : id
  }
  return granted.map(id => id ?? made())
}

/** Rows with the ids of their new records. */
export const withFreshIds = <Row extends object>(
  rows: readonly Row[],
  wantedId: (row: Row) => number | undefined,
  taken: Iterable<number>,
): { id: number; row: Row }[] =>
  freshIds(rows.map(wantedId), taken).flatMap((id, n) => {
    const row = rows[n]
    return row ? [{ id, row }] : []
  })

type Segment = { path_segment?: string | null | undefined }

/** Refuses a path_segment that another record of the file or the table has; the column identifies a record. */
export const segmentOnce = <Column extends string>(
  column: Column,
  present: readonly (Segment & Record<Column, string | null>)[],
  expected: string,
) => {
  const owners = new Map(present.map(one => [one.path_segment, one[column]]))
  return (row: Segment & Record<Column, string>, refuse: Refuse): void => {
    if (row.path_segment === undefined) return
    const owner = owners.get(row.path_segment) ?? row[column]
    if (owner !== row[column]) refuse('path_segment', 'unique', expected)
    owners.set(row.path_segment, row[column])
  }
}
