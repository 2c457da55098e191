import { type Living, livingOf, livingRows, mergeSegments } from './segment.ts'

/** Sizes begin with this number of wines. */
const smallestSize = 128

/** So many segments of one size are merged into one; each size is so many times the one before. */
const mergedAtOnce = 4

/** No more are merged at once: each of their terms is compared with all of them. */
const mostMerged = 16

const sizeClass = (part: Living): number =>
  Math.max(0, Math.floor(Math.log(livingRows(part) / smallestSize) / Math.log(mergedAtOnce)))

/**
 * Segments of more wines are merged no further: an object of a snapshot, and what merging takes, stay within bounds
 * whatever the number of wines is.
 */
const fullSize = 65_536

/** As many segments as make one of no more than four full ones. */
const fitting = (parts: readonly Living[]): Living[] => {
  let room = mergedAtOnce * fullSize
  return parts.slice(0, mostMerged).filter(part => {
    room -= livingRows(part)
    return room >= 0
  })
}

/** What is merged next: segments of one size, or one of which more is gone than there; undefined when nothing is. */
const mergedNext = (parts: readonly Living[]): Living[] | undefined => {
  const emptied = parts.find(part => livingRows(part) < part.segment.ids.length / 2)
  if (emptied) return [emptied]
  const classes = Map.groupBy(
    parts.filter(part => livingRows(part) < fullSize),
    sizeClass,
  )
  const group = [...classes.values()].find(({ length }) => length >= mergedAtOnce)
  return group && fitting(group)
}

const merged = (parts: readonly Living[]): Living[] => {
  const segment = mergeSegments(parts)
  return segment.ids.length > 0 ? [livingOf(segment)] : []
}

/** An index's segments, of which those of one size were merged until there are few of each; takes long. */
export const compacted = (given: readonly Living[]): Living[] => {
  let parts = [...given]
  for (let group = mergedNext(parts); group; group = mergedNext(parts)) {
    const old = new Set(group)
    parts = [...parts.filter(part => !old.has(part)), ...merged(group)]
  }
  return parts
}
