import type { SortOrder } from '../../../contract/wine-query.ts'
import { type Bits, bitsBetween, countBits, hasBit } from './bits.ts'
import { firstPlace, numberAt } from './numbers.ts'
import type { Row } from './row.ts'
import { type Segment, sortableAt, sortableOf } from './segment.ts'
import { comparison, placesOf, type Sortable, sortingOf } from './sorting.ts'

/** What was found: rows of segments, and rows that wait outside of them. */
export type Hits = { parts: { segment: Segment; bits: Bits; count: number }[]; rows: Row[] }

/** The hits of one segment in one order. */
type Ordered = {
  /** How many of them stand before a place among all rows of the segment; of more than `most`, at least so many. */
  countBefore: (place: number, most: number) => number
  /** The row at a place among all rows. */
  rowAt: (place: number) => number
  /** The rows of the hits from the `start`-th up to, without, the `end`-th. */
  between: (start: number, end: number) => number[]
}

// So many of a segment's rows must be hits for a walk through all of them to be shorter than sorting the hits.
const fewHits = 1 / 32

const ordered = ({ segment, bits, count }: Hits['parts'][number], order: SortOrder): Ordered => {
  const sorting = sortingOf(segment, order)
  if (!sorting) {
    return {
      countBefore: place => countBits(bits, place),
      rowAt: place => place,
      between: (start, end) => bitsBetween(bits, start, end),
    }
  }
  const { rows } = sorting
  const rowAt = (place: number) => numberAt(rows, place)
  if (count < fewHits * rows.length) {
    const places = placesOf(sorting)
    const hits = Uint32Array.from(bitsBetween(bits, 0, count), row => numberAt(places, row)).sort()
    return {
      countBefore: place => firstPlace(hits.length, n => numberAt(hits, n) >= place),
      rowAt,
      between: (start, end) => Array.from(hits.subarray(start, end), rowAt),
    }
  }
  return {
    countBefore: (place, most) => {
      let passed = 0
      for (let n = 0; n < place && passed < most; n++) if (hasBit(bits, rowAt(n))) passed++
      return passed
    },
    rowAt,
    between: (start, end) => {
      const found: number[] = []
      const last = Math.min(end, count)
      for (let n = 0, passed = 0; passed < last; n++) {
        const row = rowAt(n)
        if (hasBit(bits, row) && ++passed > start) found.push(row)
      }
      return found
    },
  }
}

/**
 * The ids of the hits from the `start`-th up to, without, the `end`-th in an order. The largest segment's hits are
 * counted, not walked through; what the others have up to the end is put among them.
 */
export const idsBetween = ({ parts, rows }: Hits, order: SortOrder, start: number, end: number): number[] => {
  const [main, ...small] = parts.toSorted((a, b) => b.segment.ids.length - a.segment.ids.length)
  const compare = comparison(order)
  const others: Sortable[] = [
    ...rows.map(sortableOf),
    ...small.flatMap(part =>
      ordered(part, order)
        .between(0, end)
        .map(row => sortableAt(part.segment, row)),
    ),
  ].sort(compare)
  if (!main) return others.slice(start, end).map(({ id }) => id)
  const { segment } = main
  const { countBefore, rowAt, between } = ordered(main, order)
  const ids: { rank: number; id: number }[] = []
  let before = 0
  for (const [n, other] of others.entries()) {
    const place = firstPlace(segment.ids.length, at => compare(sortableAt(segment, rowAt(at)), other) >= 0)
    const rank = n + countBefore(place, end)
    if (rank >= end) break
    if (rank < start) before++
    else ids.push({ rank, id: other.id })
  }
  const own = between(start - before, end - before - ids.length).map(row => numberAt(segment.ids, row))
  for (const { rank, id } of ids) own.splice(rank - start, 0, id)
  return own
}
