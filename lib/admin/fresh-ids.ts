import { timeOrderedId } from '../../shared/ids.ts'

/**
 * Ids for new records, in their order: the wanted one where it is free, else one made of the time. They are rising, and
 * none of them is taken.
 */
export const freshIds = (wanted: readonly (number | undefined)[], taken: Iterable<number>): number[] => {
  const used = new Set(taken)
  const isFree = (id: number | undefined): id is number => id !== undefined && !used.has(id)
  const ids = wanted.map(id => {
    if (!isFree(id)) return undefined
    used.add(id)
    return id
  })
  const made: number[] = []
  // Two ids of one millisecond may meet.
  while (made.length < ids.filter(id => id === undefined).length) {
    const id = timeOrderedId()
    if (used.has(id)) continue
    used.add(id)
    made.push(id)
  }
  made.sort((a, b) => b - a)
  return ids.map(id => id ?? (made.pop() as number))
}
