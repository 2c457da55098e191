import type { SortOrder } from '../../../contract/wine-query.ts'
import { type Bits, bitsBetween, countBits, hasBit, noBits, setBit } from './bits.ts'
import { firstPlace, numberAt } from './numbers.ts'
import type { Row } from './row.ts'
import { type Segment, sortableAt, sortableOf } from './segment.ts'
import { comparison, placesOf, type Sortable, type Sorting, sortingOf } from './sorting.ts'

/** What was found: rows of segments, and rows that wait outside of them. */
export type Hits = { parts: { segment: Segment; bits: Bits; count: number }[]; rows: Row[] }

type Part = Hits['parts'][number]
type Compare = (a: Sortable, b: Sortable) => number

/** Some of the hits in one order. */
type Ordered = {
  count: number
  /** How many of them come before a wine. */
  countBefore: (wine: Sortable) => number
  /** Those from the `start`-th up to, without, the `end`-th. */
  between: (start: number, end: number) => Sortable[]
}

const orderedRows = (rows: readonly Row[], compare: Compare): Ordered => {
  const wines = rows.map(sortableOf).sort(compare)
  return {
    count: wines.length,
    countBefore: wine => firstPlace(wines.length, n => compare(wines[n] as Sortable, wine) >= 0),
    between: (start, end) => wines.slice(start, end),
  }
}

const orderedByDefault = ({ segment, bits, count }: Part, compare: Compare): Ordered => ({
  count,
  countBefore: wine =>
    countBits(
      bits,
      firstPlace(segment.ids.length, row => compare(sortableAt(segment, row), wine) >= 0),
    ),
  between: (start, end) => bitsBetween(bits, start, end).map(row => sortableAt(segment, row)),
})

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
  const placeOf = (wine: Sortable): number => firstPlace(rows.length, place => compare(wineAt(place), wine) >= 0)
  if (count < fewHits * rows.length) {
    const places = sortedPlaces(part, sorting)
    return {
      count,
      countBefore: wine => {
        const place = placeOf(wine)
        return firstPlace(count, n => numberAt(places, n) >= place)
      },
      between: (start, end) => Array.from(places.subarray(start, end), wineAt),
    }
  }
  let found: Bits | undefined
  const foundPlaces = (): Bits => {
    if (found) return found
    found = noBits(rows.length)
    for (let place = 0; place < rows.length; place++) if (hasBit(bits, numberAt(rows, place))) setBit(found, place)
    return found
  }
  return {
    count,
    countBefore: wine => countBits(foundPlaces(), placeOf(wine)),
    between: (start, end) =>
      (found ? bitsBetween(found, start, end) : walkedPlaces(part, sorting, start, end)).map(wineAt),
  }
}

const orderedHits = ({ parts, rows }: Hits, order: SortOrder, compare: Compare): Ordered[] => [
  ...(rows.length > 0 ? [orderedRows(rows, compare)] : []),
  ...parts
    .filter(({ count }) => count > 0)
    .map(part => {
      const sorting = sortingOf(part.segment, order)
      return sorting ? orderedBySorting(part, sorting, compare) : orderedByDefault(part, compare)
    }),
]

/**
 * How many of each list belong to the first `start` of all: halves the stretch in question of one list after the other,
 * by the rank that the wine in its middle has among all.
 */
const splitAt = (lists: readonly Ordered[], start: number): number[] => {
  const low = lists.map(() => 0)
  const high = lists.map(({ count }) => Math.min(count, start))
  const open = (n: number): number => (high[n] ?? 0) - (low[n] ?? 0)
  for (;;) {
    const widest = lists.reduce((most, _, n) => (open(n) > open(most) ? n : most), 0)
    if (lists.length === 0 || open(widest) <= 0) return low
    const middle = ((low[widest] ?? 0) + (high[widest] ?? 0)) >>> 1
    const [wine] = lists[widest]?.between(middle, middle + 1) ?? []
    if (!wine) return low
    const before = lists.map((list, n) => (n === widest ? middle : list.countBefore(wine)))
    const rank = before.reduce((sum, count) => sum + count, 0)
    for (const [n, count] of before.entries()) {
      if (rank < start) low[n] = Math.max(low[n] ?? 0, n === widest ? count + 1 : count)
      else high[n] = Math.min(high[n] ?? 0, count)
    }
  }
}

/** The ids of the hits from the `start`-th up to, without, the `end`-th in an order. */
export const idsBetween = (hits: Hits, order: SortOrder, start: number, end: number): number[] => {
  const compare = comparison(order)
  const lists = orderedHits(hits, order, compare)
  const [only] = lists
  if (!only || start >= end) return []
  if (lists.length === 1) return only.between(start, end).map(({ id }) => id)
  const passed = splitAt(lists, start)
  return lists
    .flatMap(({ between }, n) => between(passed[n] ?? 0, (passed[n] ?? 0) + end - start))
    .sort(compare)
    .slice(0, end - start)
    .map(({ id }) => id)
}
