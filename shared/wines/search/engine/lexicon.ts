import { addBits, allBits, type Bits, eachBit, keepCommon, noBits } from './bits.ts'
import { firstPlace, numberAt } from './numbers.ts'
import { addPostings, type Postings, postingBits, postingsBytes } from './postings.ts'
import { termsOf } from './terms.ts'
import { numberBefore, numberFrom, varint, varintLength } from './varint.ts'
import {
  beginningWith,
  containing,
  endingIn,
  equalTo,
  type Stretch,
  sizeOf,
  type Trigrams,
  trigramsOf,
  type Vocabulary,
  vocabularyBytes,
} from './vocabulary.ts'

/**
 * Where the terms of many rows' texts stand. A term is of one slot: the same text in two slots is two terms, which stand
 * side by side in the vocabulary.
 */
export type Lexicon = {
  terms: Vocabulary
  /** The slot of each term. */
  slots: Uint8Array
  /** The terms in the order of their endings. */
  endings: Uint32Array
  /** The rows of each term, and those in which it stands more than once. */
  rows: Postings
  repeats: Postings
  /** Pair n is a term followed by `seconds[n]`; the pairs of term t stand from `pairs[t]` up to `pairs[t + 1]`. */
  pairs: Uint32Array
  seconds: Uint32Array
  pairRows: Postings
  /** All texts of one or two characters in any slot, and their rows. */
  grams: Vocabulary
  gramRows: Postings
  /** The terms of each row one after the other, in 7 bits a byte; those of row n stand from `streams[n]` on. */
  streams: Uint32Array
  stream: Uint8Array
  /** Made when first needed. */
  trigrams?: Trigrams
  firsts?: Firsts
  endingPlaces?: Uint32Array
}

/** The pairs by their second term: those of term t stand in `pairs` from `starts[t]` on, each with its first term. */
type Firsts = { starts: Uint32Array; pairs: Uint32Array; firsts: Uint32Array }

/** The longest text among the grams, in characters. */
export const longestGram = 2

const firstsOf = ({ terms, pairs, seconds }: Lexicon): Firsts => {
  const starts = new Uint32Array(sizeOf(terms) + 1)
  for (const second of seconds) starts[second + 1] = numberAt(starts, second + 1) + 1
  for (let term = 0; term < sizeOf(terms); term++)
    starts[term + 1] = numberAt(starts, term + 1) + numberAt(starts, term)
  const ends = starts.slice(0, -1)
  const bySecond = new Uint32Array(seconds.length)
  const firsts = new Uint32Array(seconds.length)
  for (let first = 0; first < sizeOf(terms); first++) {
    for (let pair = numberAt(pairs, first); pair < numberAt(pairs, first + 1); pair++) {
      const second = numberAt(seconds, pair)
      const end = numberAt(ends, second)
      bySecond[end] = pair
      firsts[end] = first
      ends[second] = end + 1
    }
  }
  return { starts, pairs: bySecond, firsts }
}

const fitsSlot = ({ slots }: Lexicon, term: number, slot: number | undefined): boolean =>
  slot === undefined || slots[term] === slot

/** The rows with a phrase that lies within one term. */
const rowsWithin = (lexicon: Lexicon, phrase: Buffer, slot: number | undefined): Bits | undefined => {
  lexicon.trigrams ??= trigramsOf(lexicon.terms)
  const terms = containing(lexicon.terms, lexicon.trigrams, phrase).filter(term => fitsSlot(lexicon, term, slot))
  if (terms.length === 0) return undefined
  const bits = noBits(lexicon.rows.rows)
  for (const term of terms) addPostings(bits, lexicon.rows, term)
  return bits
}

/** The rows with a text of one or two characters in any slot. */
const rowsWithGram = ({ grams, gramRows }: Lexicon, gram: Buffer): Bits | undefined => {
  const { first, end } = equalTo(grams, gram)
  return first === end ? undefined : postingBits(gramRows, first)
}

/** The place of each term among the endings. */
const endingPlacesOf = ({ endings }: Lexicon): Uint32Array => {
  const places = new Uint32Array(endings.length)
  for (let place = 0; place < endings.length; place++) places[numberAt(endings, place)] = place
  return places
}

/** Tells of a term whether its place among the endings is in a stretch: whether it ends in what a phrase begins with. */
const isEndingIn = (lexicon: Lexicon, { first, end }: Stretch): ((term: number) => boolean) => {
  lexicon.endingPlaces ??= endingPlacesOf(lexicon)
  const places = lexicon.endingPlaces
  return term => numberAt(places, term) >= first && numberAt(places, term) < end
}

/** Calls for each pair whose first term is in a stretch of the endings and whose second one is in one of the terms. */
const eachPair = (lexicon: Lexicon, ending: Stretch, second: Stretch, act: (pair: number) => void): void => {
  const { endings, pairs, seconds } = lexicon
  lexicon.firsts ??= firstsOf(lexicon)
  const { starts, pairs: bySecond, firsts } = lexicon.firsts
  const [from, to] = [numberAt(starts, second.first), numberAt(starts, second.end)]
  if (to - from < 8 * (ending.end - ending.first)) {
    const isFirst = isEndingIn(lexicon, ending)
    for (let n = from; n < to; n++) if (isFirst(numberAt(firsts, n))) act(numberAt(bySecond, n))
    return
  }
  for (let n = ending.first; n < ending.end; n++) {
    const term = numberAt(endings, n)
    const [start, end] = [numberAt(pairs, term), numberAt(pairs, term + 1)]
    let pair = start + firstPlace(end - start, place => numberAt(seconds, start + place) >= second.first)
    for (; pair < end && numberAt(seconds, pair) < second.end; pair++) act(pair)
  }
}

/** The pair of two terms; -1 when they never stand together. */
const pairOf = ({ pairs, seconds }: Lexicon, first: number, second: number): number => {
  const [start, end] = [numberAt(pairs, first), numberAt(pairs, first + 1)]
  const pair = start + firstPlace(end - start, place => numberAt(seconds, start + place) >= second)
  return pair < end && seconds[pair] === second ? pair : -1
}

/** Calls for the terms of a row one after the other. */
export const eachTerm = ({ streams, stream }: Lexicon, row: number, act: (term: number) => void): void => {
  const end = numberAt(streams, row + 1)
  for (let at = numberAt(streams, row); at < end; ) {
    const term = numberFrom(stream, at)
    act(term)
    at += varintLength(term)
  }
}

/**
 * A phrase over three terms and more in one slot: it begins in the end of a term, the ones in between are whole, and it
 * ends in the beginning of a term.
 */
type Chain = { ending: Stretch; middle: readonly number[]; last: Stretch; slot: number }

/** Tells of rows whether they have a chain, and not only its pairs in several places. */
const chainIn = (lexicon: Lexicon, { ending, middle, last, slot }: Chain): ((row: number) => boolean) => {
  const isFirst = isEndingIn(lexicon, ending)
  const { slots, streams, stream } = lexicon
  // What is looked for is the middle terms as the stream has them.
  const needle = Buffer.from(middle.flatMap(varint))
  const [head = 0] = needle
  const isAt = (at: number, start: number, end: number): boolean => {
    for (let n = 1; n < needle.length; n++) if (stream[at + n] !== needle[n]) return false
    const next = at + needle.length
    // It has neighbours, and does not begin within a number.
    if (at === start || next >= end || numberAt(stream, at - 1) > 127) return false
    const [before, after] = [numberBefore(stream, at, start), numberFrom(stream, next)]
    return slots[before] === slot && slots[after] === slot && isFirst(before) && after >= last.first && after < last.end
  }
  return row => {
    const [start, end] = [numberAt(streams, row), numberAt(streams, row + 1)]
    for (let at = start; at < end; at++) if (stream[at] === head && isAt(at, start, end)) return true
    return false
  }
}

const rowsWithChain = (lexicon: Lexicon, chain: Chain): Bits | undefined => {
  const { ending, middle, last } = chain
  const [first = 0, final = 0] = [middle[0], middle.at(-1)]
  const between = middle.slice(1).map((term, n) => pairOf(lexicon, middle[n] ?? 0, term))
  if (between.includes(-1)) return undefined
  const { rows } = lexicon.rows
  const begin = noBits(rows)
  eachPair(lexicon, ending, { first, end: first + 1 }, pair => addPostings(begin, lexicon.pairRows, pair))
  for (const pair of between) keepCommon(begin, postingBits(lexicon.pairRows, pair))
  const ends = noBits(rows)
  const [start, end] = [numberAt(lexicon.pairs, final), numberAt(lexicon.pairs, final + 1)]
  let pair = start + firstPlace(end - start, place => numberAt(lexicon.seconds, start + place) >= last.first)
  for (; pair < end && numberAt(lexicon.seconds, pair) < last.end; pair++) addPostings(ends, lexicon.pairRows, pair)
  keepCommon(begin, ends)
  // Only where a middle term stands twice may the pairs stand in different places.
  const unsure = noBits(rows)
  for (const term of new Set(middle)) addPostings(unsure, lexicon.repeats, term)
  keepCommon(unsure, begin)
  const hasChain = chainIn(lexicon, chain)
  eachBit(unsure, row => {
    if (!hasChain(row)) begin[row >>> 5] = numberAt(begin, row >>> 5) & ~(1 << (row & 31))
  })
  return begin
}

const rowsAcross = (lexicon: Lexicon, pieces: readonly Buffer[], slot: number | undefined): Bits | undefined => {
  const [begin = Buffer.alloc(0), ...more] = pieces
  const ending = endingIn(lexicon.terms, lexicon.endings, begin)
  const last = beginningWith(lexicon.terms, more.at(-1) ?? begin)
  if (ending.first === ending.end || last.first === last.end) return undefined
  const bits = noBits(lexicon.rows.rows)
  if (more.length === 1) {
    eachPair(lexicon, ending, last, pair => {
      if (fitsSlot(lexicon, numberAt(lexicon.seconds, pair), slot)) addPostings(bits, lexicon.pairRows, pair)
    })
    return bits
  }
  const middle = more.slice(0, -1).map(piece => equalTo(lexicon.terms, piece))
  const [{ first, end } = { first: 0, end: 0 }] = middle
  for (let term = first; term < end; term++) {
    if (!fitsSlot(lexicon, term, slot)) continue
    // The chain runs within the slot of its first whole term.
    const own = numberAt(lexicon.slots, term)
    const whole = middle.map(place => termIn(lexicon, place, own))
    const found = whole.includes(-1) ? undefined : rowsWithChain(lexicon, { ending, middle: whole, last, slot: own })
    if (found) addBits(bits, found)
  }
  return bits
}

const termIn = ({ slots }: Lexicon, { first, end }: Stretch, slot: number): number => {
  for (let term = first; term < end; term++) if (slots[term] === slot) return term
  return -1
}

/** The rows that contain a folded phrase in a slot, or in any; undefined when there is none. */
export const rowsWith = (lexicon: Lexicon, phrase: string, slot?: number): Bits | undefined => {
  if (phrase === '') return allBits(lexicon.rows.rows)
  if (slot === undefined && [...phrase].length <= longestGram) return rowsWithGram(lexicon, Buffer.from(phrase))
  const pieces = termsOf(phrase).map(piece => Buffer.from(piece))
  const [piece] = pieces
  if (piece && pieces.length === 1) return rowsWithin(lexicon, piece, slot)
  return rowsAcross(lexicon, pieces, slot)
}

/** Estimated bytes of a lexicon as it is held now. */
export const lexiconBytes = (lexicon: Lexicon): number => {
  const { terms, slots, endings, rows, repeats, pairs, seconds, pairRows, grams, gramRows, streams, stream } = lexicon
  const { trigrams, firsts, endingPlaces } = lexicon
  const arrays = [slots, endings, pairs, seconds, streams, stream, trigrams?.starts, trigrams?.texts]
  arrays.push(firsts?.starts, firsts?.pairs, firsts?.firsts, endingPlaces)
  return (
    [terms, grams].reduce((sum, vocabulary) => sum + vocabularyBytes(vocabulary), 0) +
    [rows, repeats, pairRows, gramRows].reduce((sum, postings) => sum + postingsBytes(postings), 0) +
    arrays.reduce((sum, array) => sum + (array?.byteLength ?? 0), 0)
  )
}
