import { bigramsAfter, bigramsBefore, isEndingIn } from './bigrams.ts'
import { type Bits, clearBit, countBits, forEachBit, fullBits, intersect, noBits } from './bits.ts'
import type { Lexicon } from './lexicon.ts'
import { addPostings, entryCost, intersectPostings } from './postings.ts'
import { numberBefore, numberFrom, varints } from './varint.ts'
import type { TermRange } from './vocabulary.ts'

/** A phrase over three or more terms of one slot: the end of a term, whole terms, and the beginning of a term. */
export type Chain = { ending: TermRange; middle: readonly number[]; last: TermRange; slot: number }

/** Tests if a row contains a chain, and not only its bigrams in several places. */
const chainIn = (lexicon: Lexicon, { ending, middle, last, slot }: Chain): ((row: number) => boolean) => {
  const isFirst = isEndingIn(lexicon, ending)
  const { slots, streams, stream } = lexicon
  // The middle terms as they are in the stream.
  const needle = Buffer.from(varints(middle)).toString('latin1')
  const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength)
  const isAt = (at: number, start: number, end: number): boolean => {
    const next = at + needle.length
    // There are terms on both sides, and the match does not begin within a number.
    if (at === start || next >= end || stream[at - 1] > 127) return false
    const [before, after] = [numberBefore(stream, at, start), numberFrom(stream, next)]
    return slots[before] === slot && slots[after] === slot && isFirst(before) && after >= last.first && after < last.end
  }
  return place => {
    const [start, end] = [streams[place], streams[place + 1]]
    // As text, each byte a character: the fastest way to find a few bytes among some hundred.
    const row = bytes.toString('latin1', start, end)
    for (let at = row.indexOf(needle); at >= 0; at = row.indexOf(needle, at + 1))
      if (isAt(start + at, start, end)) return true
    return false
  }
}

/** The cost of a look at the text of a row, in the unit of entryCost. */
const lookCost = ({ streams, stream }: Lexicon): number => 1 + stream.length / streams.length

/** All bigrams that two neighbours in a chain may be, and the cost of reading their rows. */
type Candidates = { bigrams: Uint32Array; cost: number }

const candidatesOf = (lexicon: Lexicon, { ending, middle, last }: Chain): Candidates[] => {
  const [first, final] = [middle[0], middle.at(-1) as number]
  const after = (term: number, next: TermRange): Uint32Array => {
    const { first, end } = bigramsAfter(lexicon, term, next)
    return new Uint32Array(end - first).map((_, n) => first + n)
  }
  const all = [
    bigramsBefore(lexicon, first, ending),
    ...middle.slice(1).map((term, n) => after(middle[n], { first: term, end: term + 1 })),
    after(final, last),
  ]
  return all.map(bigrams => ({
    bigrams,
    cost: bigrams.reduce((sum, bigram) => sum + 1 + entryCost(lexicon.bigramRows, bigram), 0),
  }))
}

/** Removes the rows without any of some bigrams. */
const keepAny = (found: Bits, { bigramRows }: Lexicon, bigrams: Uint32Array): void => {
  if (bigrams.length === 1) {
    intersectPostings(found, bigramRows, bigrams[0])
    return
  }
  const any = noBits(bigramRows.rows)
  for (const bigram of bigrams) addPostings(any, bigramRows, bigram)
  intersect(found, any)
}

/** The rows, of some, in which any of some terms is repeated. */
const repeatedIn = ({ repeats }: Lexicon, terms: readonly number[], rows: Bits): Bits => {
  const repeated = noBits(repeats.rows)
  for (const term of new Set(terms)) addPostings(repeated, repeats, term)
  intersect(repeated, rows)
  return repeated
}

/** The rows with a chain; undefined if there are none. */
export const rowsWithChain = (lexicon: Lexicon, chain: Chain): Bits | undefined => {
  const candidates = candidatesOf(lexicon, chain)
  if (candidates.some(({ bigrams }) => bigrams.length === 0)) return undefined
  const found = fullBits(lexicon.rows.rows)
  const look = lookCost(lexicon)
  let isWhole = true
  for (const { bigrams, cost } of candidates.toSorted((a, b) => a.cost - b.cost)) {
    // A look at few rows is cheaper than reading the next bigrams.
    isWhole = cost < countBits(found) * look
    if (!isWhole) break
    keepAny(found, lexicon, bigrams)
  }
  // The two bigrams of a middle term that occurs once are at the same place.
  const unsure = isWhole ? repeatedIn(lexicon, chain.middle, found) : found.slice()
  const hasChain = chainIn(lexicon, chain)
  forEachBit(unsure, row => {
    if (!hasChain(row)) clearBit(found, row)
  })
  return found
}
