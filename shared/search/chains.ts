import { bigramsAfter, bigramsBefore, isEndingIn } from './bigrams.ts'
import { allBits, type Bits, countBits, dropBit, eachBit, keepCommon, noBits } from './bits.ts'
import type { Lexicon } from './lexicon.ts'
import { addPostings, entryCost, keepPostings } from './postings.ts'
import { numberBefore, numberFrom, varints } from './varint.ts'
import type { Stretch } from './vocabulary.ts'

/**
 * A phrase over three terms and more in one slot: it begins in the end of a term, the ones in between are whole, and it
 * ends in the beginning of a term.
 */
export type Chain = { ending: Stretch; middle: readonly number[]; last: Stretch; slot: number }

/** Tells of rows whether they have a chain, and not only its bigrams in several places. */
const chainIn = (lexicon: Lexicon, { ending, middle, last, slot }: Chain): ((row: number) => boolean) => {
  const isFirst = isEndingIn(lexicon, ending)
  const { slots, streams, stream } = lexicon
  // What is looked for is the middle terms as the stream has them.
  const needle = Buffer.from(varints(middle)).toString('latin1')
  const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength)
  const isAt = (at: number, start: number, end: number): boolean => {
    const next = at + needle.length
    // It has neighbours, and does not begin within a number.
    if (at === start || next >= end || stream[at - 1] > 127) return false
    const [before, after] = [numberBefore(stream, at, start), numberFrom(stream, next)]
    return slots[before] === slot && slots[after] === slot && isFirst(before) && after >= last.first && after < last.end
  }
  return place => {
    const [start, end] = [streams[place], streams[place + 1]]
    // As text, each byte a character: of all ways to find a few bytes in some hundred this one takes least.
    const row = bytes.toString('latin1', start, end)
    for (let at = row.indexOf(needle); at >= 0; at = row.indexOf(needle, at + 1))
      if (isAt(start + at, start, end)) return true
    return false
  }
}

/** What looking at the text of a row costs, in the unit of the costs of postings. */
const lookCost = ({ streams, stream }: Lexicon): number => 1 + stream.length / streams.length

/** Two neighbours in a chain: all bigrams that they may be, and what reading the rows of these costs. */
type Neighbours = { bigrams: Uint32Array; cost: number }

const neighboursOf = (lexicon: Lexicon, { ending, middle, last }: Chain): Neighbours[] => {
  const [first, final] = [middle[0], middle.at(-1) as number]
  const after = (term: number, next: Stretch): Uint32Array => {
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

/** Leaves in a set the rows with one of some bigrams. */
const keepAny = (found: Bits, { bigramRows }: Lexicon, bigrams: Uint32Array): void => {
  if (bigrams.length === 1) {
    keepPostings(found, bigramRows, bigrams[0])
    return
  }
  const any = noBits(bigramRows.rows)
  for (const bigram of bigrams) addPostings(any, bigramRows, bigram)
  keepCommon(found, any)
}

/** Of some rows those in which one of some terms is repeated. */
const repeatedIn = ({ repeats }: Lexicon, terms: readonly number[], rows: Bits): Bits => {
  const repeated = noBits(repeats.rows)
  for (const term of new Set(terms)) addPostings(repeated, repeats, term)
  keepCommon(repeated, rows)
  return repeated
}

/** The rows with a chain; undefined when there is none. */
export const rowsWithChain = (lexicon: Lexicon, chain: Chain): Bits | undefined => {
  const neighbours = neighboursOf(lexicon, chain)
  if (neighbours.some(({ bigrams }) => bigrams.length === 0)) return undefined
  const found = allBits(lexicon.rows.rows)
  const look = lookCost(lexicon)
  let isWhole = true
  for (const { bigrams, cost } of neighbours.toSorted((a, b) => a.cost - b.cost)) {
    // Few rows are looked at sooner than the next bigrams are read.
    isWhole = cost < countBits(found) * look
    if (!isWhole) break
    keepAny(found, lexicon, bigrams)
  }
  // Where each middle term stands once, its two bigrams are of the same place.
  const unsure = isWhole ? repeatedIn(lexicon, chain.middle, found) : found.slice()
  const hasChain = chainIn(lexicon, chain)
  eachBit(unsure, row => {
    if (!hasChain(row)) dropBit(found, row)
  })
  return found
}
