import type { Firsts, Lexicon } from './lexicon.ts'
import { firstPlace, numberAt } from './numbers.ts'
import { type Stretch, sizeOf } from './vocabulary.ts'

const firstsOf = ({ terms, pairs, seconds }: Lexicon): Firsts => {
  const starts = new Uint32Array(sizeOf(terms) + 1)
  for (const second of seconds) starts[second + 1] = numberAt(starts, second + 1) + 1
  for (let term = 0; term < sizeOf(terms); term++)
    starts[term + 1] = numberAt(starts, term + 1) + numberAt(starts, term)
  const ends = starts.slice(0, -1)
  const bySecond = new Uint32Array(seconds.length)
  const firsts = new Uint32Array(seconds.length)
  for (let first = 0; first < sizeOf(terms); first++) {
    for (let pair = numberAt(pairs, first); pair < numberAt(pairs, first + 1); pair++) {
      const second = numberAt(seconds, pair)
      const end = numberAt(ends, second)
      bySecond[end] = pair
      firsts[end] = first
      ends[second] = end + 1
    }
  }
  return { starts, pairs: bySecond, firsts }
}

/** The place of each term among the endings. */
const endingPlacesOf = ({ endings }: Lexicon): Uint32Array => {
  const places = new Uint32Array(endings.length)
  for (let place = 0; place < endings.length; place++) places[numberAt(endings, place)] = place
  return places
}

const placesOf = (lexicon: Lexicon): Uint32Array => {
  lexicon.endingPlaces ??= endingPlacesOf(lexicon)
  return lexicon.endingPlaces
}

/** The place of a term among the endings. */
export const endingPlaceOf = (lexicon: Lexicon, term: number): number => numberAt(placesOf(lexicon), term)

/** Tells of a term whether its place among the endings is in a stretch: whether it ends in what a phrase begins with. */
export const isEndingIn = (lexicon: Lexicon, { first, end }: Stretch): ((term: number) => boolean) => {
  const places = placesOf(lexicon)
  return term => numberAt(places, term) >= first && numberAt(places, term) < end
}

const bySecondTerm = (lexicon: Lexicon): Firsts => {
  lexicon.firsts ??= firstsOf(lexicon)
  return lexicon.firsts
}

/** Calls for each pair of a second term, and its first one. */
export const eachFirst = (lexicon: Lexicon, second: number, act: (pair: number, first: number) => void): void => {
  const { starts, pairs, firsts } = bySecondTerm(lexicon)
  for (let n = numberAt(starts, second); n < numberAt(starts, second + 1); n++)
    act(numberAt(pairs, n), numberAt(firsts, n))
}

/** Calls for each pair whose first term is in a stretch of the endings and whose second one is in one of the terms. */
export const eachPair = (lexicon: Lexicon, ending: Stretch, second: Stretch, act: (pair: number) => void): void => {
  const { endings } = lexicon
  const { starts, pairs: bySecond, firsts } = bySecondTerm(lexicon)
  const [from, to] = [numberAt(starts, second.first), numberAt(starts, second.end)]
  if (to - from < 8 * (ending.end - ending.first)) {
    const isFirst = isEndingIn(lexicon, ending)
    for (let n = from; n < to; n++) if (isFirst(numberAt(firsts, n))) act(numberAt(bySecond, n))
    return
  }
  for (let n = ending.first; n < ending.end; n++) {
    eachPairAfter(lexicon, numberAt(endings, n), second, act)
  }
}

/** Calls for each pair of a first term whose second one is in a stretch of the terms. */
export const eachPairAfter = (
  { pairs, seconds }: Lexicon,
  first: number,
  second: Stretch,
  act: (pair: number) => void,
): void => {
  const [start, end] = [numberAt(pairs, first), numberAt(pairs, first + 1)]
  let pair = start + firstPlace(end - start, place => numberAt(seconds, start + place) >= second.first)
  for (; pair < end && numberAt(seconds, pair) < second.end; pair++) act(pair)
}

/** The pair of two terms; -1 when they never stand together. */
export const pairOf = ({ pairs, seconds }: Lexicon, first: number, second: number): number => {
  const [start, end] = [numberAt(pairs, first), numberAt(pairs, first + 1)]
  const pair = start + firstPlace(end - start, place => numberAt(seconds, start + place) >= second)
  return pair < end && seconds[pair] === second ? pair : -1
}
