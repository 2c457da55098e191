import type { Bits } from './bits.ts'
import type { Firsts, Lexicon } from './lexicon.ts'
import { firstPlace } from './numbers.ts'
import { addPostings } from './postings.ts'
import { type Stretch, sizeOf } from './vocabulary.ts'

const firstsOf = ({ terms, endings, bigrams, seconds }: Lexicon): Firsts => {
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

const bySecondTerm = (lexicon: Lexicon): Firsts => {
  lexicon.firsts ??= firstsOf(lexicon)
  return lexicon.firsts
}

/** The place of each term among the endings. */
const endingPlacesOf = ({ endings }: Lexicon): Uint32Array => {
  const places = new Uint32Array(endings.length)
  for (let place = 0; place < endings.length; place++) places[endings[place]] = place
  return places
}

const placesOf = (lexicon: Lexicon): Uint32Array => {
  lexicon.endingPlaces ??= endingPlacesOf(lexicon)
  return lexicon.endingPlaces
}

/** Tells of a term whether its place among the endings is in a stretch: whether it ends in what a phrase begins with. */
export const isEndingIn = (lexicon: Lexicon, { first, end }: Stretch): ((term: number) => boolean) => {
  const places = placesOf(lexicon)
  return term => {
    const place = places[term]
    return place >= first && place < end
  }
}

/** The places, of those from `start` up to `end`, whose numbers lie in a stretch; the numbers ascend. */
const within = (numbers: Uint32Array, start: number, end: number, stretch: Stretch): Stretch => {
  const first = start + firstPlace(end - start, n => numbers[start + n] >= stretch.first)
  return { first, end: first + firstPlace(end - first, n => numbers[first + n] >= stretch.end) }
}

/** The bigrams of a first term whose second one is in a stretch of the terms. */
export const bigramsAfter = (
  { bigrams, seconds }: Pick<Lexicon, 'bigrams' | 'seconds'>,
  first: number,
  second: Stretch,
): Stretch => within(seconds, bigrams[first], bigrams[first + 1], second)

/** The bigrams of a second term whose first one is in a stretch of the endings. */
export const bigramsBefore = (lexicon: Lexicon, second: number, before: Stretch): Uint32Array => {
  const { starts, bigrams, places } = bySecondTerm(lexicon)
  const { first, end } = within(places, starts[second], starts[second + 1], before)
  return bigrams.subarray(first, end)
}

/** Adds the rows of all bigrams whose first term is in a stretch of the endings and whose second one is a wanted one. */
export const addBigrams = (
  bits: Bits,
  lexicon: Lexicon,
  ending: Stretch,
  second: Stretch,
  isWanted: (second: number) => boolean,
): void => {
  const { endings, seconds, bigramRows } = lexicon
  const { starts, bigrams: bySecond, places } = bySecondTerm(lexicon)
  const [from, to] = [starts[second.first], starts[second.end]]
  if (to - from < 8 * (ending.end - ending.first)) {
    for (let n = from; n < to; n++) {
      const place = places[n]
      if (place < ending.first || place >= ending.end) continue
      const bigram = bySecond[n]
      if (isWanted(seconds[bigram])) addPostings(bits, bigramRows, bigram)
    }
    return
  }
  for (let n = ending.first; n < ending.end; n++) {
    const { first, end } = bigramsAfter(lexicon, endings[n], second)
    for (let bigram = first; bigram < end; bigram++)
      if (isWanted(seconds[bigram])) addPostings(bits, bigramRows, bigram)
  }
}
