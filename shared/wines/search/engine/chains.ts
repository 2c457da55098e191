import { addBits, allBits, type Bits, countBits, dropBit, eachBit, keepCommon, noBits } from './bits.ts'
import type { Lexicon } from './lexicon.ts'
import { numberAt } from './numbers.ts'
import { eachFirst, eachPair, eachPairAfter, endingPlaceOf, isEndingIn, pairOf } from './pairs.ts'
import { addPostings, type Postings, postingBits } from './postings.ts'
import { numberBefore, numberFrom, varints } from './varint.ts'
import type { Stretch } from './vocabulary.ts'

/**
 * A phrase over three terms and more in one slot: it begins in the end of a term, the ones in between are whole, and it
 * ends in the beginning of a term.
 */
export type Chain = { ending: Stretch; middle: readonly number[]; last: Stretch; slot: number }

/** Tells of rows whether they have a chain, and not only its pairs in several places. */
const chainIn = (lexicon: Lexicon, { ending, middle, last, slot }: Chain): ((row: number) => boolean) => {
  const isFirst = isEndingIn(lexicon, ending)
  const { slots, streams, stream } = lexicon
  // What is looked for is the middle terms as the stream has them.
  const needle = varints(middle)
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

/** What stands before a middle term of a chain: a stretch of the endings. And what stands after it: one of the terms. */
type Joint = { term: number; before: Stretch; after: Stretch }

const just = (place: number): Stretch => ({ first: place, end: place + 1 })

const jointsOf = (lexicon: Lexicon, { ending, middle, last }: Chain): Joint[] =>
  middle.map((term, n) => {
    const [former, next] = [middle[n - 1], middle[n + 1]]
    return {
      term,
      before: former === undefined ? ending : just(endingPlaceOf(lexicon, former)),
      after: next === undefined ? last : just(next),
    }
  })

/** The pairs of a term with what may stand on one side of it, and with what may not. */
type Sides = { wanted: number[]; others: number[] }

const pairsAfter = ({ pairs, seconds }: Lexicon, { term, after }: Joint): Sides => {
  const sides: Sides = { wanted: [], others: [] }
  for (let pair = numberAt(pairs, term); pair < numberAt(pairs, term + 1); pair++) {
    const second = numberAt(seconds, pair)
    const isWanted = second >= after.first && second < after.end
    sides[isWanted ? 'wanted' : 'others'].push(pair)
  }
  return sides
}

const pairsBefore = (lexicon: Lexicon, { term, before }: Joint): Sides => {
  const sides: Sides = { wanted: [], others: [] }
  const isWanted = isEndingIn(lexicon, before)
  eachFirst(lexicon, term, (pair, first) => sides[isWanted(first) ? 'wanted' : 'others'].push(pair))
  return sides
}

/** Of the rows in which a term is repeated, those in which it does not have what is wanted on one side every time. */
const notAlways = (lexicon: Lexicon, term: number, { wanted, others }: Sides, edges: Postings): Bits => {
  const bits = postingBits(lexicon.repeats, term)
  const rowsOf = (pairs: readonly number[]) =>
    pairs.reduce((sum, pair) => sum + numberAt(lexicon.pairRows.counts, pair), 0)
  // Where it mostly has something else, which rows those are is not worth the work.
  if (rowsOf(others) > rowsOf(wanted)) return bits
  const without = postingBits(edges, term)
  for (const pair of others) addPostings(without, lexicon.pairRows, pair)
  keepCommon(bits, without)
  return bits
}

/**
 * The rows in which the pairs of a chain may stand in different places, at most. A pair leads to the chain to its right
 * where each term there always has the next one behind it, and to its left where each always has the former one before
 * it. So a row is sure if there is one place in the chain to both sides of which this holds.
 */
const unsureRows = (lexicon: Lexicon, chain: Chain): Bits => {
  const joints = jointsOf(lexicon, chain)
  const before = joints.map(joint => notAlways(lexicon, joint.term, pairsBefore(lexicon, joint), lexicon.begins))
  const after = joints.map(joint => notAlways(lexicon, joint.term, pairsAfter(lexicon, joint), lexicon.ends))
  const unsure = allBits(lexicon.rows.rows)
  for (let place = 0; place <= joints.length; place++) {
    const bits = noBits(lexicon.rows.rows)
    for (const others of [...before.slice(0, place), ...after.slice(place)]) addBits(bits, others)
    keepCommon(unsure, bits)
  }
  return unsure
}

// So many rows are looked at sooner than it takes to find out which of them need not be.
const fewRows = 256

/** The rows with a chain; undefined when there is none. */
export const rowsWithChain = (lexicon: Lexicon, chain: Chain): Bits | undefined => {
  const { ending, middle, last } = chain
  const [first = 0, final = 0] = [middle[0], middle.at(-1)]
  const between = middle.slice(1).map((term, n) => pairOf(lexicon, middle[n] ?? 0, term))
  if (between.includes(-1)) return undefined
  const { rows } = lexicon.rows
  const found = noBits(rows)
  eachPair(lexicon, ending, { first, end: first + 1 }, pair => addPostings(found, lexicon.pairRows, pair))
  for (const pair of between) keepCommon(found, postingBits(lexicon.pairRows, pair))
  const ends = noBits(rows)
  eachPairAfter(lexicon, final, last, pair => addPostings(ends, lexicon.pairRows, pair))
  keepCommon(found, ends)
  // Only where a middle term stands twice may the pairs stand in different places.
  const unsure = noBits(rows)
  for (const term of new Set(middle)) addPostings(unsure, lexicon.repeats, term)
  keepCommon(unsure, found)
  if (countBits(unsure) > fewRows) keepCommon(unsure, unsureRows(lexicon, chain))
  const hasChain = chainIn(lexicon, chain)
  eachBit(unsure, row => {
    if (!hasChain(row)) dropBit(found, row)
  })
  return found
}
