import type { Scalar, SortOrder } from '../contract/schema/wine-query.ts'
import { type Bits, bitsBetween, countBits, type Directory, directoryOf, hasBit, noBits, setBit } from './bits.ts'
import { lowerBound, numberAt } from './numbers.ts'
import type { Row } from './row.ts'
import { type Segment, sortableAt, sortableOf } from './segment.ts'
import { comparison, isDefault, placesOf, type Sortable, type Sorting, sortingOf } from './sorting.ts'

/** The hits of a search: rows of segments, and rows of the memtable in the default order. */
export type Hits = { parts: { segment: Segment; bits: Bits; count: number }[]; rows: readonly Row[] }

type SegmentHits = Hits['parts'][number]
type Compare = (a: Sortable, b: Sortable) => number

/** Places in a list from `low` up to, but excluding, `high`. */
type Range = { low: number; high: number }

/** Consecutive wines of a list, each looked up when it is needed. */
type Slice = { length: number; wineAt: (n: number) => Sortable }

/** The hits of a segment, or of the memtable, as a sorted list. */
type SortedHits = {
  count: number
  /** The number of hits before a wine, limited to a range. */
  countBefore: (wine: Sortable, range: Range) => number
  /** The hits from the `start`-th up to, but excluding, the `end`-th. */
  between: (start: number, end: number) => Slice
  /** The `n`-th hit; for several that are far apart. */
  nth: (n: number) => Sortable
}

const sliceOf = (places: ArrayLike<number>, wineAt: (place: number) => Sortable): Slice => ({
  length: places.length,
  wineAt: n => wineAt(places[n]),
})

/** The lower bound within a range. */
const firstWithin = ({ low, high }: Range, isReached: (place: number) => boolean): number =>
  low + lowerBound(high - low, n => isReached(low + n))

const sortedMemtable = (rows: readonly Row[], order: SortOrder, compare: Compare): SortedHits => {
  const wines = rows.map(sortableOf)
  if (!isDefault(order)) wines.sort(compare)
  const nth = (n: number) => wines[n]
  return {
    count: wines.length,
    countBefore: (wine, range) => firstWithin(range, n => compare(nth(n), wine) >= 0),
    between: (start, end) => {
      const some = wines.slice(start, end)
      return { length: some.length, wineAt: n => some[n] }
    },
    nth,
  }
}

const sortedByDefault = ({ segment, bits, count }: SegmentHits, max: number, compare: Compare): SortedHits => {
  let made: Directory | undefined
  const directory = (): Directory => {
    made ??= directoryOf(bits, max)
    return made
  }
  const rowAt = (n: number): number => directory().rowAt(n)
  const wineAt = (row: number): Sortable => sortableAt(segment, row)
  return {
    count,
    countBefore: (wine, { low, high }) => {
      if (low === high) return low
      const rows = { low: rowAt(low), high: rowAt(high - 1) + 1 }
      return directory().countBelow(firstWithin(rows, row => compare(wineAt(row), wine) >= 0))
    },
    between: (start, end) => sliceOf(bitsBetween(bits, start, end), wineAt),
    nth: n => wineAt(rowAt(n)),
  }
}

// Below this share of a segment's rows, sorting the hits is cheaper than a walk through all rows.
const fewHits = 1 / 32

/** The places of few hits in a sorting, ascending. */
const placesOfHits = ({ bits, count }: SegmentHits, sorting: Sorting): Uint32Array => {
  const places = placesOf(sorting)
  return Uint32Array.from(bitsBetween(bits, 0, count), row => numberAt(places, row)).sort()
}

/** The places of the hits from the `start`-th to the `end`-th, by a walk from the first place on. */
const walkedPlaces = ({ bits, count }: SegmentHits, { rows }: Sorting, start: number, end: number): number[] => {
  const places: number[] = []
  const last = Math.min(end, count)
  for (let place = 0, passed = 0; passed < last; place++) {
    if (hasBit(bits, numberAt(rows, place)) && ++passed > start) places.push(place)
  }
  return places
}

const sortedBySorting = (part: SegmentHits, sorting: Sorting, compare: Compare): SortedHits => {
  const { segment, bits, count } = part
  const { rows } = sorting
  const wineAt = (place: number): Sortable => sortableAt(segment, numberAt(rows, place))
  if (count < fewHits * rows.length) {
    const places = placesOfHits(part, sorting)
    const nth = (n: number) => wineAt(numberAt(places, n))
    return {
      count,
      countBefore: (wine, range) => firstWithin(range, n => compare(nth(n), wine) >= 0),
      between: (start, end) => sliceOf(places.subarray(start, end), wineAt),
      nth,
    }
  }
  let found: Bits | undefined
  const foundPlaces = (): Bits => {
    if (found) return found
    found = noBits(rows.length)
    for (let place = 0; place < rows.length; place++) if (hasBit(bits, numberAt(rows, place))) setBit(found, place)
    return found
  }
  const placeOf = (n: number): number => bitsBetween(foundPlaces(), n, n + 1)[0]
  return {
    count,
    countBefore: (wine, { low, high }) => {
      if (low === high) return low
      const places = { low: placeOf(low), high: placeOf(high - 1) + 1 }
      return countBits(
        foundPlaces(),
        firstWithin(places, place => compare(wineAt(place), wine) >= 0),
      )
    },
    between: (start, end) =>
      sliceOf(found ? bitsBetween(found, start, end) : walkedPlaces(part, sorting, start, end), wineAt),
    nth: n => wineAt(placeOf(n)),
  }
}

/** All lists of hits in an order, for the first `max` hits of them together. */
const sortedLists = ({ parts, rows }: Hits, order: SortOrder, max: number, compare: Compare): SortedHits[] => [
  ...(rows.length > 0 ? [sortedMemtable(rows, order, compare)] : []),
  ...parts
    .filter(({ count }) => count > 0)
    .map(part => {
      const sorting = sortingOf(part.segment, order)
      return sorting ? sortedBySorting(part, sorting, compare) : sortedByDefault(part, max, compare)
    }),
]

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** A wine whose values are looked up once, for comparison with many. */
const memoize = (wine: Sortable): Sortable => {
  const values = new Map<number, Scalar>()
  const look = (column: number): Scalar => {
    const value = wine.valueOf(column)
    values.set(column, value)
    return value
  }
  return { id: wine.id, valueOf: column => values.get(column) ?? look(column) }
}

/**
 * The number of hits of each list among the first `start` hits of all. A multi-way binary search: each turn takes a wine
 * of the list with the widest open range, and computes its rank among all. As hits are spread similarly over the lists,
 * every other turn interpolates the place of that wine; the others take the middle, which no distribution degrades.
 */
const splitAt = (lists: readonly SortedHits[], start: number): number[] => {
  const ranges = lists.map(({ count }): Range => ({ low: 0, high: Math.min(count, start) }))
  for (let turn = 0; ; turn++) {
    const open = ranges.map(({ low, high }) => high - low)
    const widest = open.indexOf(Math.max(...open))
    const [range, list] = [ranges[widest], lists[widest]]
    if (!range || !list || range.low === range.high) return ranges.map(({ low }) => low)
    const missing = start - sumOf(ranges.map(({ low }) => low))
    const part = turn % 2 === 0 ? missing / sumOf(open) : 0.5
    const asked = Math.min(range.high - 1, range.low + Math.floor((range.high - range.low) * part))
    const wine = memoize(list.nth(asked))
    const before = lists.map((other, n) => (n === widest ? asked : other.countBefore(wine, ranges[n])))
    const isFirst = sumOf(before) < start
    for (const [n, count] of before.entries()) {
      const one = ranges[n]
      if (isFirst) one.low = n === widest ? count + 1 : count
      else one.high = count
    }
  }
}

/** The ids of the first `max` wines of several sorted slices. */
const mergedIds = (slices: readonly Slice[], compare: Compare, max: number): number[] => {
  const at = new Uint32Array(slices.length)
  const wineOf = ({ length, wineAt }: Slice, n: number) => (n < length ? wineAt(n) : undefined)
  const heads = slices.map(slice => wineOf(slice, 0))
  const ids: number[] = []
  while (ids.length < max) {
    let least: Sortable | undefined
    let from = 0
    for (let n = 0; n < heads.length; n++) {
      const wine = heads[n]
      if (!wine || (least && compare(wine, least) >= 0)) continue
      least = wine
      from = n
    }
    if (!least) break
    ids.push(least.id)
    at[from]++
    heads[from] = wineOf(slices[from], at[from])
  }
  return ids
}

/** The ids of the hits from the `start`-th up to, but excluding, the `end`-th in an order. */
export const idsBetween = (hits: Hits, order: SortOrder, start: number, end: number): number[] => {
  if (start >= end) return []
  const compare = comparison(order)
  const lists = sortedLists(hits, order, end, compare)
  const [only] = lists
  if (!only) return []
  if (lists.length === 1) {
    const { length, wineAt } = only.between(start, end)
    return Array.from({ length }, (_, n) => wineAt(n).id)
  }
  const passed = splitAt(lists, start)
  const wanted = lists.map(({ between }, n) => between(passed[n], passed[n] + end - start))
  return mergedIds(wanted, compare, end - start)
}
