import { type Bits, keepCommon, noBits } from './bits.ts'
import type { Firsts, Lexicon } from './lexicon.ts'
import { firstPlace } from './numbers.ts'
import { addPostings, entryCost, keepPostings } from './postings.ts'
import { type Stretch, sizeOf } from './vocabulary.ts'

const firstsOf = ({ terms, endings, pairs, seconds }: Lexicon): Firsts => {
  const starts = new Uint32Array(sizeOf(terms) + 1)
  for (const second of seconds) starts[second + 1] = (starts[second + 1] as number) + 1
  for (let term = 0; term + 1 < starts.length; term++)
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number)
  const ends = starts.slice(0, -1)
  const bySecond = new Uint32Array(seconds.length)
  const places = new Uint32Array(seconds.length)
  for (let place = 0; place < endings.length; place++) {
    const first = endings[place] as number
    const last = pairs[first + 1] as number
    for (let pair = pairs[first] as number; pair < last; pair++) {
      const second = seconds[pair] as number
      const end = ends[second] as number
      bySecond[end] = pair
      places[end] = place
      ends[second] = end + 1
    }
  }
  return { starts, pairs: bySecond, places }
}

const bySecondTerm = (lexicon: Lexicon): Firsts => {
  lexicon.firsts ??= firstsOf(lexicon)
  return lexicon.firsts
}

/** The place of each term among the endings. */
const endingPlacesOf = ({ endings }: Lexicon): Uint32Array => {
  const places = new Uint32Array(endings.length)
  for (let place = 0; place < endings.length; place++) places[endings[place] as number] = place
  return places
}

const placesOf = (lexicon: Lexicon): Uint32Array => {
  lexicon.endingPlaces ??= endingPlacesOf(lexicon)
  return lexicon.endingPlaces
}

/** The place of a term among the endings. */
export const endingPlaceOf = (lexicon: Lexicon, term: number): number => placesOf(lexicon)[term] as number

/** Tells of a term whether its place among the endings is in a stretch: whether it ends in what a phrase begins with. */
export const isEndingIn = (lexicon: Lexicon, { first, end }: Stretch): ((term: number) => boolean) => {
  const places = placesOf(lexicon)
  return term => {
    const place = places[term] as number
    return place >= first && place < end
  }
}

/** The places, of those from `start` up to `end`, whose numbers lie in a stretch; the numbers ascend. */
export const within = (numbers: Uint32Array, start: number, end: number, stretch: Stretch): Stretch => {
  const first = start + firstPlace(end - start, n => (numbers[start + n] as number) >= stretch.first)
  return { first, end: first + firstPlace(end - first, n => (numbers[first + n] as number) >= stretch.end) }
}

/** The pairs of a first term whose second one is in a stretch of the terms. */
export const pairsAfter = (
  { pairs, seconds }: Pick<Lexicon, 'pairs' | 'seconds'>,
  first: number,
  second: Stretch,
): Stretch => within(seconds, pairs[first] as number, pairs[first + 1] as number, second)

/** The pairs of a second term whose first one is in a stretch of the endings. */
export const pairsBefore = (lexicon: Lexicon, second: number, before: Stretch): Uint32Array => {
  const { starts, pairs, places } = bySecondTerm(lexicon)
  const { first, end } = within(places, starts[second] as number, starts[second + 1] as number, before)
  return pairs.subarray(first, end)
}

/** Adds the rows of all pairs whose first term is in a stretch of the endings and whose second one is a wanted one. */
export const addPairs = (
  bits: Bits,
  lexicon: Lexicon,
  ending: Stretch,
  second: Stretch,
  isWanted: (second: number) => boolean,
): void => {
  const { endings, seconds, pairRows } = lexicon
  const { starts, pairs: bySecond, places } = bySecondTerm(lexicon)
  const [from, to] = [starts[second.first] as number, starts[second.end] as number]
  if (to - from < 8 * (ending.end - ending.first)) {
    for (let n = from; n < to; n++) {
      const place = places[n] as number
      if (place < ending.first || place >= ending.end) continue
      const pair = bySecond[n] as number
      if (isWanted(seconds[pair] as number)) addPostings(bits, pairRows, pair)
    }
    return
  }
  for (let n = ending.first; n < ending.end; n++) {
    const { first, end } = pairsAfter(lexicon, endings[n] as number, second)
    for (let pair = first; pair < end; pair++) if (isWanted(seconds[pair] as number)) addPostings(bits, pairRows, pair)
  }
}

/**
 * What stands on one side of a term, in all pairs that it has there: what is wanted there, and what else there is. The
 * costs of adding their rows to a set are in bytes and words of postings, roughly.
 */
export type Side = {
  isEmpty: boolean
  wantedCost: number
  /** About as many rows have what is wanted; what others cost is also about as many rows as they have. */
  wantedRows: number
  othersCost: number
  /** Leaves in a set the rows with what is wanted. */
  keepWanted: (bits: Bits) => void
  addOthers: (bits: Bits) => void
}

const keepAny = (bits: Bits, { pairRows }: Lexicon, count: number, pairAt: (n: number) => number): void => {
  if (count === 1) {
    keepPostings(bits, pairRows, pairAt(0))
    return
  }
  const any = noBits(pairRows.rows)
  for (let n = 0; n < count; n++) addPostings(any, pairRows, pairAt(n))
  keepCommon(bits, any)
}

/** What stands after a term, of which a stretch of the terms is wanted. */
export const sideAfter = (lexicon: Lexicon, term: number, after: Stretch): Side => {
  const { pairs, pairRows } = lexicon
  const [start, stop] = [pairs[term] as number, pairs[term + 1] as number]
  const { first, end } = pairsAfter(lexicon, term, after)
  const costOf = (from: number, to: number) =>
    (pairRows.starts[to] as number) - (pairRows.starts[from] as number) + (to - from)
  return {
    isEmpty: first === end,
    wantedCost: end - first === 1 ? entryCost(pairRows, first) : costOf(first, end),
    wantedRows: end - first === 1 ? (pairRows.counts[first] as number) : costOf(first, end),
    othersCost: costOf(start, first) + costOf(end, stop),
    keepWanted: bits => keepAny(bits, lexicon, end - first, n => first + n),
    addOthers: bits => {
      for (let pair = start; pair < first; pair++) addPostings(bits, pairRows, pair)
      for (let pair = end; pair < stop; pair++) addPostings(bits, pairRows, pair)
    },
  }
}

/** What stands before a term, of which a stretch of the endings is wanted. */
export const sideBefore = (lexicon: Lexicon, term: number, before: Stretch): Side => {
  const { pairRows, rows, repeats } = lexicon
  const { starts, pairs, places } = bySecondTerm(lexicon)
  const [start, stop] = [starts[term] as number, starts[term + 1] as number]
  const { first, end } = within(places, start, stop, before)
  let [wantedCost, wantedRows] = [0, 0]
  for (let n = first; n < end; n++) {
    wantedCost += 1 + entryCost(pairRows, pairs[n] as number)
    wantedRows += pairRows.counts[pairs[n] as number] as number
  }
  // To add up what the others take would take as long as to add their rows. A term stands about so often in all.
  const all = stop - start + (rows.counts[term] as number) + (repeats.counts[term] as number)
  return {
    isEmpty: first === end,
    wantedCost,
    wantedRows,
    othersCost: Math.max(first - start + stop - end, all - wantedRows),
    keepWanted: bits => keepAny(bits, lexicon, end - first, n => pairs[first + n] as number),
    addOthers: bits => {
      for (let n = start; n < first; n++) addPostings(bits, pairRows, pairs[n] as number)
      for (let n = end; n < stop; n++) addPostings(bits, pairRows, pairs[n] as number)
    },
  }
}
