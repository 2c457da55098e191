import { timeOrderedId } from '../../../shared/values/time.ts'

/**
 * Ids for new records, in their order: the wanted one where it is free, else one made of the time. Those made rise, and
 * no id is taken or given twice.
 */
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

/** Rows with the ids of the new records they make. */
export const withFreshIds = <Row extends object>(
  rows: readonly Row[],
  wantedId: (row: Row) => number | undefined,
  taken: Iterable<number>,
): { id: number; row: Row }[] =>
  freshIds(rows.map(wantedId), taken).flatMap((id, n) => {
    const row = rows[n]
    return row ? [{ id, row }] : []
  })
