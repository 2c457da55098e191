import { bytesOf, numberAt } from './numbers.ts'
import { arraysOfPostings, type Postings } from './postings.ts'
import { numberFrom, varintLength } from './varint.ts'
import type { Vocabulary } from './vocabulary.ts'

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
  /** Bigram n is a term followed by `seconds[n]`; the bigrams of term t stand from `bigrams[t]` up to `bigrams[t + 1]`. */
  bigrams: Uint32Array
  seconds: Uint32Array
  bigramRows: Postings
  /** All trigrams of terms, three bytes each; the terms of each; and its rows, where uniting those of its terms takes long. */
  trigrams: Vocabulary
  trigramTerms: Postings
  trigramRows: Postings
  /** All texts of one or two letters of Latin, or signs, in any slot, and their rows. */
  grams: Vocabulary
  gramRows: Postings
  /** The terms of each row one after the other, in 7 bits a byte; those of row n stand from `streams[n]` on. */
  streams: Uint32Array
  stream: Uint8Array
  /** How many bytes its arrays take, where some of them may still be packed. */
  held?: () => number
  /** Made when first needed. */
  firsts?: Firsts
  endingPlaces?: Uint32Array
}

/** What is known of a lexicon before its trigrams and grams. */
export type LexiconCore = Omit<Lexicon, keyof Trigrams | keyof Grams | 'held' | 'firsts' | 'endingPlaces'>

/** The trigrams of a lexicon, their terms and rows. */
export type Trigrams = Pick<Lexicon, 'trigrams' | 'trigramTerms' | 'trigramRows'>

/** The grams of a lexicon, and their rows. */
export type Grams = Pick<Lexicon, 'grams' | 'gramRows'>

/**
 * The bigrams by their second term: those of term t stand in `bigrams` from `starts[t]` on, in the order of `places`, which
 * are those of their first terms among the endings.
 */
export type Firsts = { starts: Uint32Array; bigrams: Uint32Array; places: Uint32Array }

/** Calls for the terms of a row one after the other. */
export const eachTerm = ({ streams, stream }: Lexicon, row: number, act: (term: number) => void): void => {
  const end = numberAt(streams, row + 1)
  for (let at = numberAt(streams, row); at < end; ) {
    const term = numberFrom(stream, at)
    act(term)
    at += varintLength(term)
  }
}

/** The arrays that a lexicon consists of, in the order in which they are kept; those that one search needs are together. */
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

/** Estimated bytes of a lexicon as it is held now. */
export const lexiconBytes = (lexicon: Lexicon): number => {
  const { firsts, endingPlaces } = lexicon
  const ofFirsts = [firsts?.starts, firsts?.bigrams, firsts?.places]
  const made = [...ofFirsts, endingPlaces]
  const own = lexicon.held?.() ?? bytesOf(partsOfLexicon(lexicon).flat())
  return own + bytesOf(made.filter(array => array !== undefined))
}

/** Of letters behind this one, the last of Latin Extended-A, no grams are kept. */
export const highestLetter = 0x17f

const gram = /^[\0-\u017f]{1,2}$/

/**
 * Whether a text is among the grams. In few letters each stands in many rows; of other scripts there are more than are
 * worth a list, and their terms hold few of them.
 */
export const isGram = (text: string): boolean => gram.test(text)
