import { noBits } from './bits.ts'
import { isGram, type LexiconCore } from './lexicon.ts'
import { numberAt } from './numbers.ts'
import { addPostings, type Postings, PostingsWriter } from './postings.ts'
import { sizeOf, textAt, type Vocabulary, vocabularyOf } from './vocabulary.ts'

const gramsIn = (text: string): string[] => {
  const signs = [...text]
  return signs.flatMap((sign, n) => (n === 0 ? [sign] : [sign, `${signs[n - 1]}${sign}`]))
}

/** Grams of one and two characters follow from the terms, and from the pairs where two terms meet. */
export const gramsOf = ({
  terms,
  pairs,
  seconds,
  rows,
  pairRows,
}: LexiconCore): { grams: Vocabulary; gramRows: Postings } => {
  const sources = new Map<string, { terms: number[]; pairs: number[] }>()
  const sourcesOf = (gram: string) => {
    const known = sources.get(gram) ?? { terms: [], pairs: [] }
    sources.set(gram, known)
    return known
  }
  const borders: [string, string][] = []
  for (let term = 0; term < sizeOf(terms); term++) {
    const text = textAt(terms, term).toString()
    for (const gram of new Set(gramsIn(text).filter(isGram))) sourcesOf(gram).terms.push(term)
    const signs = [...text]
    borders.push([signs[0] ?? '', signs.at(-1) ?? ''])
  }
  for (let term = 0; term < sizeOf(terms); term++) {
    for (let pair = numberAt(pairs, term); pair < numberAt(pairs, term + 1); pair++) {
      const gram = `${borders[term]?.[1]}${borders[numberAt(seconds, pair)]?.[0]}`
      if (isGram(gram)) sourcesOf(gram).pairs.push(pair)
    }
  }
  const writer = new PostingsWriter(rows.rows)
  const texts = [...sources.keys()].map(gram => Buffer.from(gram)).sort(Buffer.compare)
  for (const text of texts) {
    const { terms: within, pairs: across } = sourcesOf(text.toString())
    const bits = noBits(rows.rows)
    for (const term of within) addPostings(bits, rows, term)
    for (const pair of across) addPostings(bits, pairRows, pair)
    writer.addBits(bits)
  }
  return { grams: vocabularyOf(texts), gramRows: writer.finish() }
}
