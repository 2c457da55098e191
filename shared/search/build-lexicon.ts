import { gramsOf } from './grams.ts'
import type { Lexicon } from './lexicon.ts'
import { LexiconWriter } from './lexicon-writer.ts'
import { countingSort, offsetsOf, placesIn } from './numbers.ts'
import { termsOf } from './terms.ts'
import { trigramsOf } from './trigrams.ts'

/** The distinct terms, numbered as they come: their texts and slots. */
type Numbered = { texts: string[]; slots: number[] }

/** The occurrences of terms in sequence: the term, the row, and whether it is the last of its slot. */
type Occurrences = { terms: number[]; rows: number[]; ends: boolean[] }

/** Appends the terms of a row. */
const readRow = (
  all: Numbered & Occurrences,
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

const readTexts = (texts: readonly (readonly string[])[]): Numbered & Occurrences => {
  const all: Numbered & Occurrences = { texts: [], slots: [], terms: [], rows: [], ends: [] }
  const numbers = Array.from({ length: texts[0]?.length ?? 0 }, () => new Map<string, number>())
  for (const [row, slots] of texts.entries()) readRow(all, numbers, row, slots)
  return all
}

/** Compares terms by their UTF-8, then by their slots. */
const comparisonOf = ({ texts, slots }: Numbered): ((a: number, b: number) => number) => {
  // JavaScript's order differs only for texts with characters of more than 16 bits.
  const isSame = !texts.some(text => /[\ud800-\udfff]/.test(text))
  const bytes = isSame ? [] : texts.map(text => Buffer.from(text))
  const compare = (a: number, b: number): number => {
    if (!isSame) return Buffer.compare(bytes[a], bytes[b])
    const [one, other] = [texts[a], texts[b]]
    return one < other ? -1 : one > other ? 1 : 0
  }
  return (a, b) => compare(a, b) || slots[a] - slots[b]
}

/** The rows of some occurrences of a term, without repetition. */
const rowsAt = (rows: readonly number[], places: Uint32Array, isIncluded: (n: number) => boolean): number[] => {
  const found: number[] = []
  for (const [n, place] of places.entries()) {
    const row = rows[place]
    if (isIncluded(n) && found.at(-1) !== row) found.push(row)
  }
  return found
}

const addTerms = (writer: LexiconWriter, all: Numbered & Occurrences, order: Uint32Array): void => {
  const { texts, slots, terms, rows } = all
  const starts = offsetsOf(terms, texts.length)
  const byTerm = countingSort(terms, texts.length)
  for (const number of order) {
    const places = byTerm.subarray(starts[number], starts[number + 1])
    writer.addTerm(Buffer.from(texts[number]), slots[number], {
      rows: rowsAt(rows, places, () => true),
      repeats: rowsAt(rows, places, n => n > 0 && rows[places[n]] === rows[places[n - 1]]),
    })
  }
}

/** The occurrences, with terms numbered in their order. */
const renumber = ({ terms }: Occurrences, order: Uint32Array): Uint32Array => {
  const places = placesIn(order)
  return Uint32Array.from(terms, term => places[term])
}

/** All occurrences of bigrams, in the order of their first terms, then of their second terms, then of the rows. */
type Bigrams = { firsts: Uint32Array; seconds: Uint32Array; rows: Uint32Array }

const bigramsOf = ({ rows, ends }: Occurrences, terms: Uint32Array, size: number): Bigrams => {
  const [firsts, seconds, where]: [number[], number[], number[]] = [[], [], []]
  for (let n = 0; n < terms.length; n++) {
    if (ends[n]) continue
    firsts.push(terms[n])
    seconds.push(terms[n + 1])
    where.push(rows[n])
  }
  const sorted = countingSort(firsts, size, countingSort(seconds, size))
  return {
    firsts: sorted.map(n => firsts[n]),
    seconds: sorted.map(n => seconds[n]),
    rows: sorted.map(n => where[n]),
  }
}

/** Adds the bigram at a place, and returns the place of the next bigram. */
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

const addRows = (writer: LexiconWriter, { rows }: Occurrences, terms: Uint32Array, count: number): void => {
  let at = 0
  for (let row = 0; row < count; row++) {
    for (; rows[at] === row; at++) writer.addToRow(terms[at])
    writer.endRow()
  }
}

/** Builds the lexicon of rows, each given by its folded texts by slot. */
export const buildLexicon = (texts: readonly (readonly string[])[]): Lexicon => {
  const all = readTexts(texts)
  const order = new Uint32Array(all.texts.length).map((_, n) => n).sort(comparisonOf(all))
  const writer = new LexiconWriter(texts.length)
  addTerms(writer, all, order)
  const terms = renumber(all, order)
  const bigrams = bigramsOf(all, terms, order.length)
  for (let at = 0; at < bigrams.rows.length; ) at = addBigram(writer, bigrams, at)
  addRows(writer, all, terms, texts.length)
  const core = writer.finish()
  return { ...core, ...trigramsOf(core), ...gramsOf(core) }
}
