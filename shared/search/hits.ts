import type { Scalar, SortOrder } from '../contract/wine-query.ts'
import { type Bits, bitsBetween, countBits, type Directory, directoryOf, hasBit, noBits, setBit } from './bits.ts'
import { firstPlace, numberAt } from './numbers.ts'
import type { Row } from './row.ts'
import { type Segment, sortableAt, sortableOf } from './segment.ts'
import { comparison, isDefault, placesOf, type Sortable, type Sorting, sortingOf } from './sorting.ts'

/** What was found: rows of segments, and rows that wait outside of them, in the default order. */
export type Hits = { parts: { segment: Segment; bits: Bits; count: number }[]; rows: readonly Row[] }

type Part = Hits['parts'][number]
type Compare = (a: Sortable, b: Sortable) => number

/** A stretch of one list: from `low` up to, without, `high`. */
type Range = { low: number; high: number }

/** Wines of a list one after another, each looked up when it is asked for. */
type Stretch = { length: number; wineAt: (n: number) => Sortable }

/** Some of the hits in one order. */
type Ordered = {
  count: number
  /** How many of them come before a wine; what lies outside of a range counts as its nearer end. */
  countBefore: (wine: Sortable, range: Range) => number
  /** Those from the `start`-th up to, without, the `end`-th. */
  between: (start: number, end: number) => Stretch
  /** The `n`-th of them, when several are asked for that are far apart. */
  nth: (n: number) => Sortable
}

const stretchOf = (places: ArrayLike<number>, wineAt: (place: number) => Sortable): Stretch => ({
  length: places.length,
  wineAt: n => wineAt(places[n]),
})

/** The first place within a range at which something is reached, its end if there is none. */
const firstWithin = ({ low, high }: Range, isReached: (place: number) => boolean): number =>
  low + firstPlace(high - low, n => isReached(low + n))

const orderedRows = (rows: readonly Row[], order: SortOrder, compare: Compare): Ordered => {
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

const orderedByDefault = ({ segment, bits, count }: Part, most: number, compare: Compare): Ordered => {
  let made: Directory | undefined
  const directory = (): Directory => {
    made ??= directoryOf(bits, most)
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
    between: (start, end) => stretchOf(bitsBetween(bits, start, end), wineAt),
    nth: n => wineAt(rowAt(n)),
  }
}

// So many of a segment's rows must be hits for a walk through all of them to be shorter than sorting the hits.
const fewHits = 1 / 32

/** The places of few hits in a sorting, ascending. */
const sortedPlaces = ({ bits, count }: Part, sorting: Sorting): Uint32Array => {
  const places = placesOf(sorting)
  return Uint32Array.from(bitsBetween(bits, 0, count), row => numberAt(places, row)).sort()
}

/** The places of many hits between the `start`-th and the `end`-th, met on a walk from the first place on. */
const walkedPlaces = ({ bits, count }: Part, { rows }: Sorting, start: number, end: number): number[] => {
  const places: number[] = []
  const last = Math.min(end, count)
  for (let place = 0, passed = 0; passed < last; place++) {
    if (hasBit(bits, numberAt(rows, place)) && ++passed > start) places.push(place)
  }
  return places
}

const orderedBySorting = (part: Part, sorting: Sorting, compare: Compare): Ordered => {
  const { segment, bits, count } = part
  const { rows } = sorting
  const wineAt = (place: number): Sortable => sortableAt(segment, numberAt(rows, place))
  if (count < fewHits * rows.length) {
    const places = sortedPlaces(part, sorting)
    const nth = (n: number) => wineAt(numberAt(places, n))
    return {
      count,
      countBefore: (wine, range) => firstWithin(range, n => compare(nth(n), wine) >= 0),
      between: (start, end) => stretchOf(places.subarray(start, end), wineAt),
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
      stretchOf(found ? bitsBetween(found, start, end) : walkedPlaces(part, sorting, start, end), wineAt),
    nth: n => wineAt(placeOf(n)),
  }
}

/** All lists of hits in an order, of which the first `most` are asked for. */
const orderedHits = ({ parts, rows }: Hits, order: SortOrder, most: number, compare: Compare): Ordered[] => [
  ...(rows.length > 0 ? [orderedRows(rows, order, compare)] : []),
  ...parts
    .filter(({ count }) => count > 0)
    .map(part => {
      const sorting = sortingOf(part.segment, order)
      return sorting ? orderedBySorting(part, sorting, compare) : orderedByDefault(part, most, compare)
    }),
]

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** A wine whose values are looked up once, because it is compared with many. */
const remembered = (wine: Sortable): Sortable => {
  const values = new Map<number, Scalar>()
  const look = (column: number): Scalar => {
    const value = wine.valueOf(column)
    values.set(column, value)
    return value
  }
  return { id: wine.id, valueOf: column => values.get(column) ?? look(column) }
}

/**
 * How many of each list belong to the first `start` of all: asks of one wine after the other, from the list in which most
 * is open, for its rank among all. Wines are spread over the lists much alike, so that the wine in question is guessed
 * from the part of the open ones that belongs to the first; every other time it is the middle one, which no order misleads.
 */
const splitAt = (lists: readonly Ordered[], start: number): number[] => {
  const ranges = lists.map(({ count }): Range => ({ low: 0, high: Math.min(count, start) }))
  for (let turn = 0; ; turn++) {
    const open = ranges.map(({ low, high }) => high - low)
    const widest = open.indexOf(Math.max(...open))
    const [range, list] = [ranges[widest], lists[widest]]
    if (!range || !list || range.low === range.high) return ranges.map(({ low }) => low)
    const missing = start - sumOf(ranges.map(({ low }) => low))
    const part = turn % 2 === 0 ? missing / sumOf(open) : 0.5
    const asked = Math.min(range.high - 1, range.low + Math.floor((range.high - range.low) * part))
    const wine = remembered(list.nth(asked))
    const before = lists.map((other, n) => (n === widest ? asked : other.countBefore(wine, ranges[n])))
    const isFirst = sumOf(before) < start
    for (const [n, count] of before.entries()) {
      const one = ranges[n]
      if (isFirst) one.low = n === widest ? count + 1 : count
      else one.high = count
    }
  }
}

/** The ids of the first of several ordered stretches together. */
const mergedIds = (stretches: readonly Stretch[], compare: Compare, most: number): number[] => {
  const at = new Uint32Array(stretches.length)
  const wineOf = ({ length, wineAt }: Stretch, n: number) => (n < length ? wineAt(n) : undefined)
  const heads = stretches.map(stretch => wineOf(stretch, 0))
  const ids: number[] = []
  while (ids.length < most) {
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
    heads[from] = wineOf(stretches[from], at[from])
  }
  return ids
}

/** The ids of the hits from the `start`-th up to, without, the `end`-th in an order. */
export const idsBetween = (hits: Hits, order: SortOrder, start: number, end: number): number[] => {
  if (start >= end) return []
  const compare = comparison(order)
  const lists = orderedHits(hits, order, end, compare)
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
