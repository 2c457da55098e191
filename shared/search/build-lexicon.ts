import { gramsOf } from './grams.ts'
import type { Lexicon } from './lexicon.ts'
import { LexiconWriter } from './lexicon-writer.ts'
import { sortedPlaces, startsOf } from './numbers.ts'
import { termsOf } from './terms.ts'
import { trigramsOf } from './trigrams.ts'

/** The terms that stand somewhere, numbered as they come: their texts and slots. */
type Numbered = { texts: string[]; slots: number[] }

/** Where terms stand one after the other: the term, the row, and whether it is the last one of its slot. */
type Standing = { terms: number[]; rows: number[]; ends: boolean[] }

/** Adds what stands in a row to what stands in those before it. */
const readRow = (
  all: Numbered & Standing,
  numbers: readonly Map<string, number>[],
  row: number,
  texts: readonly string[],
): void => {
  for (const [slot, text] of texts.entries()) {
    const known = numbers[slot]
    const terms = termsOf(text)
    for (const [n, term] of terms.entries()) {
      let number = known.get(term)
      if (number === undefined) {
        number = all.texts.push(term) - 1
        all.slots.push(slot)
        known.set(term, number)
      }
      all.terms.push(number)
      all.rows.push(row)
      all.ends.push(n === terms.length - 1)
    }
  }
}

const readTexts = (texts: readonly (readonly string[])[]): Numbered & Standing => {
  const all: Numbered & Standing = { texts: [], slots: [], terms: [], rows: [], ends: [] }
  const numbers = Array.from({ length: texts[0]?.length ?? 0 }, () => new Map<string, number>())
  for (const [row, slots] of texts.entries()) readRow(all, numbers, row, slots)
  return all
}

/** How terms compare: by their UTF-8, then by their slots. */
const comparisonOf = ({ texts, slots }: Numbered): ((a: number, b: number) => number) => {
  // JavaScript's order is another one only where a text has characters of more than 16 bits.
  const isSame = !texts.some(text => /[\ud800-\udfff]/.test(text))
  const bytes = isSame ? [] : texts.map(text => Buffer.from(text))
  const compare = (a: number, b: number): number => {
    if (!isSame) return Buffer.compare(bytes[a], bytes[b])
    const [one, other] = [texts[a], texts[b]]
    return one < other ? -1 : one > other ? 1 : 0
  }
  return (a, b) => compare(a, b) || slots[a] - slots[b]
}

/** Some of the rows of a term, one after the other, without repetition. */
const rowsAt = (rows: readonly number[], places: Uint32Array, isMeant: (n: number) => boolean): number[] => {
  const found: number[] = []
  for (const [n, place] of places.entries()) {
    const row = rows[place]
    if (isMeant(n) && found.at(-1) !== row) found.push(row)
  }
  return found
}

const addTerms = (writer: LexiconWriter, all: Numbered & Standing, order: Uint32Array): void => {
  const { texts, slots, terms, rows } = all
  const starts = startsOf(terms, texts.length)
  const byTerm = sortedPlaces(terms, texts.length)
  for (const number of order) {
    const places = byTerm.subarray(starts[number], starts[number + 1])
    writer.addTerm(Buffer.from(texts[number]), slots[number], {
      rows: rowsAt(rows, places, () => true),
      repeats: rowsAt(rows, places, n => n > 0 && rows[places[n]] === rows[places[n - 1]]),
    })
  }
}

/** What stands where, by the places of terms in their order. */
const placed = ({ terms }: Standing, order: Uint32Array): Uint32Array => {
  const places = new Uint32Array(order.length)
  for (let place = 0; place < order.length; place++) places[order[place]] = place
  const standing = new Uint32Array(terms.length)
  for (let n = 0; n < terms.length; n++) standing[n] = places[terms[n]]
  return standing
}

/** All bigrams one after the other, in the order of their first terms, then of their second ones, then of the rows. */
type Bigrams = { firsts: Uint32Array; seconds: Uint32Array; rows: Uint32Array }

const bigramsOf = ({ rows, ends }: Standing, terms: Uint32Array, size: number): Bigrams => {
  const [firsts, seconds, where]: [number[], number[], number[]] = [[], [], []]
  for (let n = 0; n < terms.length; n++) {
    if (ends[n]) continue
    firsts.push(terms[n])
    seconds.push(terms[n + 1])
    where.push(rows[n])
  }
  const sorted = sortedPlaces(firsts, size, sortedPlaces(seconds, size))
  return {
    firsts: sorted.map(n => firsts[n]),
    seconds: sorted.map(n => seconds[n]),
    rows: sorted.map(n => where[n]),
  }
}

/** Adds the bigram that stands at a place, and tells where the next one begins. */
const addBigram = (writer: LexiconWriter, { firsts, seconds, rows }: Bigrams, start: number): number => {
  const [first, second] = [firsts[start], seconds[start]]
  const found: number[] = []
  let at = start
  for (; firsts[at] === first && seconds[at] === second; at++) {
    const row = rows[at]
    if (found.at(-1) !== row) found.push(row)
  }
  writer.addBigram(first, second, found)
  return at
}

const addRows = (writer: LexiconWriter, { rows }: Standing, terms: Uint32Array, count: number): void => {
  let at = 0
  for (let row = 0; row < count; row++) {
    for (; rows[at] === row; at++) writer.addToRow(terms[at])
    writer.endRow()
  }
}

/** Makes a lexicon of rows' folded texts by slot. */
export const buildLexicon = (texts: readonly (readonly string[])[]): Lexicon => {
  const all = readTexts(texts)
  const order = new Uint32Array(all.texts.length).map((_, n) => n).sort(comparisonOf(all))
  const writer = new LexiconWriter(texts.length)
  addTerms(writer, all, order)
  const terms = placed(all, order)
  const bigrams = bigramsOf(all, terms, order.length)
  for (let at = 0; at < bigrams.rows.length; ) at = addBigram(writer, bigrams, at)
  addRows(writer, all, terms, texts.length)
  const core = writer.finish()
  return { ...core, ...trigramsOf(core), ...gramsOf(core) }
}
