import { bytesOf, numberAt } from './numbers.ts'
import { arraysOfPostings, type Postings } from './postings.ts'
import { numberFrom, varintLength } from './varint.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * The inverted index of many rows' texts. A term belongs to one slot: the same text in two slots is two terms, which are
 * neighbours in the vocabulary.
 */
export type Lexicon = {
  terms: Vocabulary
  /** The slot of each term. */
  slots: Uint8Array
  /** The terms in the order of their endings. */
  endings: Uint32Array
  /** The rows of each term, and those that contain it more than once. */
  rows: Postings
  repeats: Postings
  /** Bigram n is a term followed by `seconds[n]`; the bigrams of term t are those from `bigrams[t]` up to `bigrams[t + 1]`. */
  bigrams: Uint32Array
  seconds: Uint32Array
  bigramRows: Postings
  /** All trigrams of terms, three bytes each; the terms of each; and its rows, where uniting those of its terms takes long. */
  trigrams: Vocabulary
  trigramTerms: Postings
  trigramRows: Postings
  /** All texts of one or two Latin letters or signs, in any slot, and their rows. */
  grams: Vocabulary
  gramRows: Postings
  /** The token stream: the terms of each row in their order, as varints; those of row n begin at `streams[n]`. */
  streams: Uint32Array
  stream: Uint8Array
  /** The bytes of its arrays, if some of them may still be packed. */
  held?: () => number
  /** Made when first needed. */
  bySecond?: BySecondTerm
  endingPlaces?: Uint32Array
}

/** The parts of a lexicon that its trigrams and grams are made from. */
export type LexiconCore = Omit<Lexicon, keyof Trigrams | keyof Grams | 'held' | 'bySecond' | 'endingPlaces'>
export type Trigrams = Pick<Lexicon, 'trigrams' | 'trigramTerms' | 'trigramRows'>
export type Grams = Pick<Lexicon, 'grams' | 'gramRows'>

/**
 * The bigrams by their second term: those of term t are in `bigrams` from `starts[t]` on, in the order of `places`, the
 * places of their first terms among the endings.
 */
export type BySecondTerm = { starts: Uint32Array; bigrams: Uint32Array; places: Uint32Array }

/** Calls for each term of a row in its order. */
export const forEachTerm = ({ streams, stream }: Lexicon, row: number, act: (term: number) => void): void => {
  const end = numberAt(streams, row + 1)
  for (let at = numberAt(streams, row); at < end; ) {
    const term = numberFrom(stream, at)
    act(term)
    at += varintLength(term)
  }
}

/** The arrays of a lexicon in their packed order; those that a search needs together are in one part. */
export const partsOfLexicon = ({ terms, trigrams, grams, ...more }: Lexicon): (Uint8Array | Uint32Array)[][] => [
  [terms.bytes, terms.starts, more.slots, ...arraysOfPostings(more.rows)],
  [trigrams.bytes, trigrams.starts, ...arraysOfPostings(more.trigramTerms)],
  [grams.bytes, grams.starts, ...[more.gramRows, more.trigramRows].flatMap(arraysOfPostings)],
  [
    more.endings,
    ...arraysOfPostings(more.repeats),
    ...[more.bigrams, more.seconds, ...arraysOfPostings(more.bigramRows), more.streams, more.stream],
  ],
]

/** Estimated bytes of a lexicon in memory. */
export const lexiconBytes = (lexicon: Lexicon): number => {
  const { bySecond, endingPlaces } = lexicon
  const derived = [...Object.values(bySecond ?? {}), ...(endingPlaces ? [endingPlaces] : [])]
  return (lexicon.held?.() ?? bytesOf(partsOfLexicon(lexicon).flat())) + bytesOf(derived)
}

/** The last letter with grams, the end of Latin Extended-A. */
export const highestLetter = 0x17f

const gram = /^[\0-\u017f]{1,2}$/

/**
 * True if a text is among the grams. Few letters are each in many rows; other scripts have more letters than are worth
 * lists, and few terms contain a given letter.
 */
export const isGram = (text: string): boolean => gram.test(text)
