import { Problem } from '../contract/errors.ts'
import { freeSlug } from '../values/slug.ts'

type Segment = { path_segment?: string | null | undefined }

/** Picks the path_segment of each new record in turn: the given segment, or a free segment made from the name. */
export const segmentPicker = (known: readonly Segment[]) => {
  const taken = new Set(known.map(({ path_segment }) => path_segment))
  return ({ name, path_segment }: Segment & { name: string }): string => {
    const picked = path_segment ?? freeSlug(name, segment => taken.has(segment))
    taken.add(picked)
    return picked
  }
}

/** The refusal of a path_segment of another record; `what` is the kind, such as "wine". */
export const slugTaken = (what: string): Problem =>
  new Problem('slug_taken', {
    fields: [{ path: 'data.path_segment', rule: 'slug_taken', expected: `a path_segment that no other ${what} has` }],
  })

/** Throws slug_taken if another record has the given path_segment. */
export const checkSegment = (what: string, { path_segment }: Segment, others: readonly Segment[]): void => {
  if (path_segment && others.some(one => one.path_segment === path_segment)) throw slugTaken(what)
}

/** Throws name_taken if another record has the given name. */
export const checkName = (
  what: string,
  { name }: { name?: string | undefined },
  others: readonly { name: string }[],
): void => {
  if (name === undefined || others.every(one => one.name !== name)) return
  const expected = `a name that no other ${what} has`
  throw new Problem('name_taken', { fields: [{ path: 'data.name', rule: 'name_taken', expected }] })
}
