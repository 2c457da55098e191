import { type LiveSegment, liveRows, liveSegment, mergeSegments } from './segment.ts'

/** The number of wines of the smallest size class. */
const smallestSize = 128

/** So many segments of one size class are merged into one; each class is so many times the class before. */
const fanIn = 4

/** A limit of one merge, which compares each term with those of all segments. */
const maxMerged = 16

const sizeClass = (part: LiveSegment): number =>
  Math.max(0, Math.floor(Math.log(liveRows(part) / smallestSize) / Math.log(fanIn)))

/** Segments of more wines are not merged, which bounds the objects of a snapshot and the cost of a merge. */
const fullSize = 65_536

/** The first segments that together are no larger than four full segments. */
const takeFitting = (parts: readonly LiveSegment[]): LiveSegment[] => {
  let room = fanIn * fullSize
  return parts.slice(0, maxMerged).filter(part => {
    room -= liveRows(part)
    return room >= 0
  })
}

/**
 * The next segments to merge: those of one size class, or a segment with more tombstones than wines; undefined if none.
 */
const mergedNext = (parts: readonly LiveSegment[]): LiveSegment[] | undefined => {
  const emptied = parts.find(part => liveRows(part) < part.segment.ids.length / 2)
  if (emptied) return [emptied]
  const classes = Map.groupBy(
    parts.filter(part => liveRows(part) < fullSize),
    sizeClass,
  )
  const group = [...classes.values()].find(({ length }) => length >= fanIn)
  return group && takeFitting(group)
}

const merge = (parts: readonly LiveSegment[]): LiveSegment[] => {
  const segment = mergeSegments(parts)
  return segment.ids.length > 0 ? [liveSegment(segment)] : []
}

/** An index's segments after merging those of one size class until there are few of each; takes long. */
export const compact = (given: readonly LiveSegment[]): LiveSegment[] => {
  let parts = [...given]
  for (let group = mergedNext(parts); group; group = mergedNext(parts)) {
    const old = new Set(group)
    parts = [...parts.filter(part => !old.has(part)), ...merge(group)]
  }
  return parts
}
