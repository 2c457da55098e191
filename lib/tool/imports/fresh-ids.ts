import { timeOrderedId } from '../../../shared/ids.ts'

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
  const missing = granted.filter(id => id === undefined).length
  const made = new Set<number>()
  // Two ids of one millisecond may meet.
  while (made.size < missing) {
    const id = timeOrderedId()
    if (!used.has(id)) made.add(id)
  }
  const falling = [...made].sort((a, b) => b - a)
  return granted.map(id => id ?? (falling.pop() as number))
}
