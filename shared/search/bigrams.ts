import type { Bits } from './bits.ts'
import type { BySecondTerm, Lexicon } from './lexicon.ts'
import { lowerBound, placesIn } from './numbers.ts'
import { addPostings } from './postings.ts'
import { sizeOf, type TermRange } from './vocabulary.ts'

const groupBySecond = ({ terms, endings, bigrams, seconds }: Lexicon): BySecondTerm => {
  const starts = new Uint32Array(sizeOf(terms) + 1)
  for (const second of seconds) starts[second + 1]++
  for (let term = 0; term + 1 < starts.length; term++) starts[term + 1] += starts[term]
  const ends = starts.slice(0, -1)
  const bySecond = new Uint32Array(seconds.length)
  const places = new Uint32Array(seconds.length)
  for (let place = 0; place < endings.length; place++) {
    const first = endings[place]
    const last = bigrams[first + 1]
    for (let bigram = bigrams[first]; bigram < last; bigram++) {
      const second = seconds[bigram]
      const end = ends[second]
      bySecond[end] = bigram
      places[end] = place
      ends[second] = end + 1
    }
  }
  return { starts, bigrams: bySecond, places }
}

const bySecondTerm = (lexicon: Lexicon): BySecondTerm => {
  lexicon.bySecond ??= groupBySecond(lexicon)
  return lexicon.bySecond
}

/** Tests if a term is in a range of the endings: if it ends with the first piece of a phrase. */
export const isEndingIn = (lexicon: Lexicon, { first, end }: TermRange): ((term: number) => boolean) => {
  lexicon.endingPlaces ??= placesIn(lexicon.endings)
  const places = lexicon.endingPlaces
  return term => {
    const place = places[term]
    return place >= first && place < end
  }
}

/** The places from `start` up to `end` whose numbers, which ascend, are in a range. */
const within = (numbers: Uint32Array, start: number, end: number, stretch: TermRange): TermRange => {
  const first = start + lowerBound(end - start, n => numbers[start + n] >= stretch.first)
  return { first, end: first + lowerBound(end - first, n => numbers[first + n] >= stretch.end) }
}

/** The bigrams of a first term whose second term is in a range. */
export const bigramsAfter = (
  { bigrams, seconds }: Pick<Lexicon, 'bigrams' | 'seconds'>,
  first: number,
  second: TermRange,
): TermRange => within(seconds, bigrams[first], bigrams[first + 1], second)

/** The bigrams of a second term whose first term is in a range of the endings. */
export const bigramsBefore = (lexicon: Lexicon, second: number, before: TermRange): Uint32Array => {
  const { starts, bigrams, places } = bySecondTerm(lexicon)
  const { first, end } = within(places, starts[second], starts[second + 1], before)
  return bigrams.subarray(first, end)
}

/** Adds the rows of all bigrams whose first term is in a range of the endings, and whose second term passes the test. */
export const addBigrams = (
  bits: Bits,
  lexicon: Lexicon,
  ending: TermRange,
  second: TermRange,
  passes: (second: number) => boolean,
): void => {
  const { endings, seconds, bigramRows } = lexicon
  const { starts, bigrams: bySecond, places } = bySecondTerm(lexicon)
  const [from, to] = [starts[second.first], starts[second.end]]
  if (to - from < 8 * (ending.end - ending.first)) {
    for (let n = from; n < to; n++) {
      const place = places[n]
      if (place < ending.first || place >= ending.end) continue
      const bigram = bySecond[n]
      if (passes(seconds[bigram])) addPostings(bits, bigramRows, bigram)
    }
    return
  }
  for (let n = ending.first; n < ending.end; n++) {
    const { first, end } = bigramsAfter(lexicon, endings[n], second)
    for (let bigram = first; bigram < end; bigram++) if (passes(seconds[bigram])) addPostings(bits, bigramRows, bigram)
  }
}
