import { addBigrams } from './bigrams.ts'
import { type Bits, fullBits, noBits, unite } from './bits.ts'
import { rowsWithChain } from './chains.ts'
import { isGram, type Lexicon } from './lexicon.ts'
import { numberAt } from './numbers.ts'
import { addPostings, postingBits } from './postings.ts'
import { termsOf } from './terms.ts'
import { rowsWithTrigram, termsWith } from './trigrams.ts'
import { beginningWith, endingIn, equalTo, type TermRange } from './vocabulary.ts'

const fitsSlot = ({ slots }: Lexicon, term: number, slot: number | undefined): boolean =>
  slot === undefined || slots[term] === slot

/** The rows with a phrase within one term. */
const rowsWithin = (lexicon: Lexicon, phrase: Buffer, slot: number | undefined): Bits | undefined => {
  const stored = slot === undefined ? rowsWithTrigram(lexicon, phrase) : undefined
  if (stored) return stored
  const terms = termsWith(lexicon, phrase).filter(term => fitsSlot(lexicon, term, slot))
  if (terms.length === 0) return undefined
  const bits = noBits(lexicon.rows.rows)
  for (const term of terms) addPostings(bits, lexicon.rows, term)
  return bits
}

/** The rows with a gram in any slot. */
const rowsWithGram = ({ grams, gramRows }: Lexicon, gram: Buffer): Bits | undefined => {
  const { first, end } = equalTo(grams, gram)
  return first === end ? undefined : postingBits(gramRows, first)
}

const rowsAcross = (lexicon: Lexicon, pieces: readonly Buffer[], slot: number | undefined): Bits | undefined => {
  const [begin = Buffer.alloc(0), ...more] = pieces
  const ending = endingIn(lexicon.terms, lexicon.endings, begin)
  const last = beginningWith(lexicon.terms, more.at(-1) ?? begin)
  if (ending.first === ending.end || last.first === last.end) return undefined
  const bits = noBits(lexicon.rows.rows)
  if (more.length === 1) {
    addBigrams(bits, lexicon, ending, last, second => fitsSlot(lexicon, second, slot))
    return bits
  }
  const middle = more.slice(0, -1).map(piece => equalTo(lexicon.terms, piece))
  const [{ first, end } = { first: 0, end: 0 }] = middle
  for (let term = first; term < end; term++) {
    if (!fitsSlot(lexicon, term, slot)) continue
    // The chain is within the slot of its first whole term.
    const own = numberAt(lexicon.slots, term)
    const whole = middle.map(place => termIn(lexicon, place, own))
    const found = whole.includes(-1) ? undefined : rowsWithChain(lexicon, { ending, middle: whole, last, slot: own })
    if (found) unite(bits, found)
  }
  return bits
}

const termIn = ({ slots }: Lexicon, { first, end }: TermRange, slot: number): number => {
  for (let term = first; term < end; term++) if (slots[term] === slot) return term
  return -1
}

/** The rows that contain a folded phrase in a slot, or in any; undefined if there are none. */
export const rowsWith = (lexicon: Lexicon, phrase: string, slot?: number): Bits | undefined => {
  if (phrase === '') return fullBits(lexicon.rows.rows)
  if (slot === undefined && isGram(phrase)) return rowsWithGram(lexicon, Buffer.from(phrase))
  const pieces = termsOf(phrase).map(piece => Buffer.from(piece))
  const [piece] = pieces
  if (piece && pieces.length === 1) return rowsWithin(lexicon, piece, slot)
  return rowsAcross(lexicon, pieces, slot)
}
