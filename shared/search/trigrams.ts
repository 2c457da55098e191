import { type Bits, noBits } from './bits.ts'
import type { Lexicon, LexiconCore, Trigrams } from './lexicon.ts'
import { countingSort, offsetsOf } from './numbers.ts'
import { addPostings, entryCost, forEachPosting, PostingsWriter, postingBits } from './postings.ts'
import { equalTo, holds, sizeOf, textsContaining, vocabularyOf } from './vocabulary.ts'

/** The trigrams of all terms, numbered as they come, and the terms of each, ascending, each once. */
const termsByTrigram = ({
  terms: { bytes, starts },
}: LexiconCore): { all: number[]; found: number[]; terms: number[] } => {
  const numbers = new Map<number, number>()
  const [all, found, terms]: [number[], number[], number[]] = [[], [], []]
  const lastTerms: number[] = []
  for (let term = 0; term + 1 < starts.length; term++) {
    const end = starts[term + 1] - 3
    for (let at = starts[term]; at <= end; at++) {
      const trigram = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2]
      let number = numbers.get(trigram)
      if (number === undefined) {
        number = all.push(trigram) - 1
        numbers.set(trigram, number)
      }
      if (lastTerms[number] === term) continue
      lastTerms[number] = term
      found.push(number)
      terms.push(term)
    }
  }
  return { all, found, terms }
}

const bytesOf = (trigram: number): Buffer => Buffer.from([trigram >>> 16, (trigram >>> 8) & 0xff, trigram & 0xff])

/**
 * Adds the rows of a trigram's terms if uniting them at each search would cost more than reading a set of all rows; else
 * none, nor if the bytes are not three letters.
 */
const addRows = (writer: PostingsWriter, { rows }: LexiconCore, trigram: number, terms: Uint32Array): void => {
  const cost = terms.reduce((sum, term) => sum + entryCost(rows, term), 0)
  if (cost * 8 <= rows.rows || (trigram & 0x808080) !== 0) {
    writer.add([])
    return
  }
  const bits = noBits(rows.rows)
  for (const term of terms) addPostings(bits, rows, term)
  writer.addBits(bits)
}

/** Derives the trigrams from the terms. */
export const trigramsOf = (core: LexiconCore): Trigrams => {
  const { all, found, terms } = termsByTrigram(core)
  const starts = offsetsOf(found, all.length)
  const byTrigram = countingSort(found, all.length).map(place => terms[place])
  const inOrder = Uint32Array.from(all.keys()).sort((a, b) => all[a] - all[b])
  const [termWriter, rowWriter] = [new PostingsWriter(sizeOf(core.terms)), new PostingsWriter(core.rows.rows)]
  for (const number of inOrder) {
    const own = byTrigram.subarray(starts[number], starts[number + 1])
    termWriter.add(own)
    addRows(rowWriter, core, all[number], own)
  }
  return {
    trigrams: vocabularyOf(Array.from(inOrder, number => bytesOf(all[number]))),
    trigramTerms: termWriter.finish(),
    trigramRows: rowWriter.finish(),
  }
}

/** The number of a trigram, or -1. */
const numberOf = ({ trigrams }: Pick<Trigrams, 'trigrams'>, trigram: Buffer): number => {
  const { first, end } = equalTo(trigrams, trigram)
  return first === end ? -1 : first
}

/** The terms that contain some bytes, ascending. */
export const termsWith = (lexicon: Pick<Lexicon, 'terms' | 'trigrams' | 'trigramTerms'>, bytes: Buffer): number[] => {
  const { terms, trigramTerms } = lexicon
  if (bytes.length < 3) return textsContaining(terms, bytes)
  let rarest = -1
  for (let at = 0; at + 3 <= bytes.length; at++) {
    const number = numberOf(lexicon, bytes.subarray(at, at + 3))
    if (number < 0) return []
    if (rarest < 0 || trigramTerms.counts[number] < trigramTerms.counts[rarest]) rarest = number
  }
  const found: number[] = []
  forEachPosting(trigramTerms, rarest, term => {
    if (bytes.length === 3 || holds(terms, term, bytes)) found.push(term)
  })
  return found
}

/** The rows with three letters in any slot; undefined if they are not stored. */
export const rowsWithTrigram = (lexicon: Lexicon, bytes: Buffer): Bits | undefined => {
  const number = bytes.length === 3 ? numberOf(lexicon, bytes) : -1
  return number >= 0 && lexicon.trigramRows.counts[number] > 0 ? postingBits(lexicon.trigramRows, number) : undefined
}
