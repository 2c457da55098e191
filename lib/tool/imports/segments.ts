import { freeSlug } from '../../../shared/values/slug.ts'
import type { Refuse } from './plan.ts'

type Segment = { path_segment?: string | null | undefined }

/**
 * Refuses a path_segment that another record has, be it of the file or of those that are there. The column tells one
 * record from another; `expected` is what a refused one must be.
 */
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

/** Gives each new record in turn its path_segment: the one it says, or one of its name that no other has. */
export const segmentPicker = (known: readonly Segment[]) => {
  const taken = new Set(known.map(({ path_segment }) => path_segment))
  return ({ name, path_segment }: Segment & { name: string }): string => {
    const picked = path_segment ?? freeSlug(name, segment => taken.has(segment))
    taken.add(picked)
    return picked
  }
}
