import { noBits } from './bits.ts'
import { type Grams, highestLetter, type LexiconCore } from './lexicon.ts'
import { sortedPlaces, startsOf } from './numbers.ts'
import { addPostings, PostingsWriter } from './postings.ts'
import { sizeOf, type Vocabulary, vocabularyOf } from './vocabulary.ts'

// A letter that is in no gram.
const none = -1

// One or two letters as a number, in the order of their UTF-8.
const width = highestLetter + 2
const gramOf = (first: number, second = none): number => first * width + second + 1

const textOf = (gram: number): Buffer => {
  const [first, second] = [Math.floor(gram / width), (gram % width) - 1]
  return Buffer.from(second === none ? String.fromCharCode(first) : String.fromCharCode(first, second))
}

/** Calls for the letters of a text one after the other; of all that grams do not have, for `none`. */
const eachLetter = ({ bytes, starts }: Vocabulary, text: number, act: (letter: number) => void): void => {
  const end = starts[text + 1] as number
  for (let at = starts[text] as number; at < end; ) {
    const byte = bytes[at] as number
    // In UTF-8 the first byte tells how many there are, and the first two tell all of a letter below U+0800.
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    const letter = length === 1 ? byte : ((byte & 0x1f) << 6) | ((bytes[at + 1] as number) & 0x3f)
    act(length > 2 || letter > highestLetter ? none : letter)
    at += length
  }
}

/** Which term, or which pair, has which gram: one after the other. */
type Sources = { numbers: Map<number, number>; grams: number[]; sources: number[] }

const addSource = ({ numbers, grams, sources }: Sources, gram: number, source: number): void => {
  let number = numbers.get(gram)
  if (number === undefined) {
    number = numbers.size
    numbers.set(gram, number)
  }
  grams.push(number)
  sources.push(source)
}

/** Pairs are numbered after all terms. */
const sourcesOf = ({ terms, pairs, seconds }: LexiconCore): Sources => {
  const all: Sources = { numbers: new Map(), grams: [], sources: [] }
  const count = sizeOf(terms)
  const [firstLetters, lastLetters] = [new Int16Array(count).fill(none), new Int16Array(count).fill(none)]
  for (let term = 0; term < count; term++) {
    let [before, isFirst] = [none, true]
    eachLetter(terms, term, letter => {
      if (isFirst) firstLetters[term] = letter
      isFirst = false
      if (letter !== none) addSource(all, gramOf(letter), term)
      if (letter !== none && before !== none) addSource(all, gramOf(before, letter), term)
      before = letter
    })
    lastLetters[term] = before
  }
  for (let term = 0; term < count; term++) {
    const last = lastLetters[term] as number
    if (last === none) continue
    for (let pair = pairs[term] as number; pair < (pairs[term + 1] as number); pair++) {
      const first = firstLetters[seconds[pair] as number] as number
      if (first !== none) addSource(all, gramOf(last, first), count + pair)
    }
  }
  return all
}

/** So many grams are made in a slice. */
const gramsAtOnce = 64

/** Makes the grams, which follow from the terms, and from the pairs where two terms meet; a slice at a time. */
export function* gramsOf(core: LexiconCore): Generator<void, Grams> {
  const { numbers, grams, sources } = sourcesOf(core)
  yield
  const { rows, pairRows, terms } = core
  const starts = startsOf(grams, numbers.size)
  const byGram = sortedPlaces(grams, numbers.size)
  yield
  const writer = new PostingsWriter(rows.rows)
  const bits = noBits(rows.rows)
  const count = sizeOf(terms)
  const inOrder = [...numbers].sort(([a], [b]) => a - b)
  for (const [added, [, number]] of inOrder.entries()) {
    let last = -1
    for (let n = starts[number] as number; n < (starts[number + 1] as number); n++) {
      const source = sources[byGram[n] as number] as number
      // A term that has a gram twice stands here twice.
      if (source === last) continue
      last = source
      if (source < count) addPostings(bits, rows, source)
      else addPostings(bits, pairRows, source - count)
    }
    writer.addBits(bits)
    bits.fill(0)
    if (added % gramsAtOnce === gramsAtOnce - 1) yield
  }
  return { grams: vocabularyOf(inOrder.map(([gram]) => textOf(gram))), gramRows: writer.finish() }
}
