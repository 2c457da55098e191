import { noBits } from './bits.ts'
import { type Grams, highestLetter, type LexiconCore } from './lexicon.ts'
import { countingSort, offsetsOf } from './numbers.ts'
import { addPostings, PostingsWriter } from './postings.ts'
import { sizeOf, type Vocabulary, vocabularyOf } from './vocabulary.ts'

// A letter that no gram contains.
const none = -1

// Encodes one or two letters as a number, in the order of their UTF-8.
const width = highestLetter + 2
const gramOf = (first: number, second = none): number => first * width + second + 1

const textOf = (gram: number): Buffer => {
  const [first, second] = [Math.floor(gram / width), (gram % width) - 1]
  return Buffer.from(second === none ? String.fromCharCode(first) : String.fromCharCode(first, second))
}

/** Calls for each letter of a text; with `none` for those that no gram contains. */
const eachLetter = ({ bytes, starts }: Vocabulary, text: number, act: (letter: number) => void): void => {
  const end = starts[text + 1]
  for (let at = starts[text]; at < end; ) {
    const byte = bytes[at]
    // In UTF-8 the first byte gives the length, and the first two give a letter below U+0800.
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    const letter = length === 1 ? byte : ((byte & 0x1f) << 6) | (bytes[at + 1] & 0x3f)
    act(length > 2 || letter > highestLetter ? none : letter)
    at += length
  }
}

/** The occurrences of grams in terms and bigrams (`sources`), with all grams by number, and the numbers by gram. */
type Sources = { all: number[]; numbers: Int32Array; grams: number[]; sources: number[] }

const addSource = ({ all, numbers, grams, sources }: Sources, gram: number, source: number): void => {
  let number = numbers[gram]
  if (number === none) {
    number = all.push(gram) - 1
    numbers[gram] = number
  }
  grams.push(number)
  sources.push(source)
}

/** The first and the last letter of each term. */
type Borders = { first: Int16Array; last: Int16Array }

const addTerm = (found: Sources, { first, last }: Borders, terms: Vocabulary, term: number): void => {
  let [before, isFirst] = [none, true]
  eachLetter(terms, term, letter => {
    if (isFirst) first[term] = letter
    isFirst = false
    if (letter !== none) addSource(found, gramOf(letter), term)
    if (letter !== none && before !== none) addSource(found, gramOf(before, letter), term)
    before = letter
  })
  last[term] = before
}

// Bigrams are numbered after all terms.
const addBigrams = (found: Sources, borders: Borders, { bigrams, seconds }: LexiconCore, term: number): void => {
  const last = borders.last[term]
  if (last === none) return
  const count = borders.last.length
  for (let bigram = bigrams[term]; bigram < bigrams[term + 1]; bigram++) {
    const first = borders.first[seconds[bigram]]
    if (first !== none) addSource(found, gramOf(last, first), count + bigram)
  }
}

const sourcesOf = (core: LexiconCore): Sources => {
  const count = sizeOf(core.terms)
  const numbers = new Int32Array(gramOf(highestLetter, highestLetter) + 1).fill(none)
  const found: Sources = { all: [], numbers, grams: [], sources: [] }
  const borders: Borders = { first: new Int16Array(count).fill(none), last: new Int16Array(count).fill(none) }
  for (let term = 0; term < count; term++) addTerm(found, borders, core.terms, term)
  for (let term = 0; term < count; term++) addBigrams(found, borders, core, term)
  return found
}

/** Adds the rows of a gram from its sources, which ascend, and repeat a term that contains it twice. */
const addGram = (
  writer: PostingsWriter,
  { rows, bigramRows, terms }: LexiconCore,
  sources: readonly number[],
): void => {
  const bits = noBits(rows.rows)
  const count = sizeOf(terms)
  let last = none
  for (const source of sources) {
    if (source === last) continue
    last = source
    if (source < count) addPostings(bits, rows, source)
    else addPostings(bits, bigramRows, source - count)
  }
  writer.addBits(bits)
}

/** Derives the grams from the terms, and from the bigrams where two terms meet. */
export const gramsOf = (core: LexiconCore): Grams => {
  const { all, numbers, grams, sources } = sourcesOf(core)
  const starts = offsetsOf(grams, all.length)
  const byGram = countingSort(grams, all.length)
  const writer = new PostingsWriter(core.rows.rows)
  const inOrder = all.toSorted((a, b) => a - b)
  for (const gram of inOrder) {
    const number = numbers[gram]
    const places = byGram.subarray(starts[number], starts[number + 1])
    addGram(
      writer,
      core,
      Array.from(places, place => sources[place]),
    )
  }
  return { grams: vocabularyOf(inOrder.map(textOf)), gramRows: writer.finish() }
}
