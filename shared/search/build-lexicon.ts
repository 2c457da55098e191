import { gramsOf } from './grams.ts'
import type { Lexicon } from './lexicon.ts'
import { LexiconWriter } from './lexicon-writer.ts'
import { sortedPlaces, startsOf } from './numbers.ts'
import { sortInSlices } from './slices.ts'
import { termsOf } from './terms.ts'
import { triplesOf } from './triples.ts'

/** The terms that stand somewhere, numbered as they come: their texts and slots. */
type Numbered = { texts: string[]; slots: number[] }

/** Where terms stand one after the other: the term, the row, and whether it is the first and the last one of its slot. */
type Standing = { terms: number[]; rows: number[]; begins: boolean[]; ends: boolean[] }

/** A slice of building has so many rows, terms or pairs. */
const rowsAtOnce = 4
const entriesAtOnce = 128

/** Adds what stands in a row to what stands in those before it. */
const readRow = (
  all: Numbered & Standing,
  numbers: readonly Map<string, number>[],
  row: number,
  texts: readonly string[],
): void => {
  for (const [slot, text] of texts.entries()) {
    const known = numbers[slot] as Map<string, number>
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
      all.begins.push(n === 0)
      all.ends.push(n === terms.length - 1)
    }
  }
}

function* readTexts(texts: readonly (readonly string[])[]): Generator<void, Numbered & Standing> {
  const all: Numbered & Standing = { texts: [], slots: [], terms: [], rows: [], begins: [], ends: [] }
  const numbers = Array.from({ length: texts[0]?.length ?? 0 }, () => new Map<string, number>())
  for (const [row, slots] of texts.entries()) {
    readRow(all, numbers, row, slots)
    if (row % rowsAtOnce === rowsAtOnce - 1) yield
  }
  return all
}

/** How terms compare: by their UTF-8, then by their slots. */
const comparisonOf = ({ texts, slots }: Numbered): ((a: number, b: number) => number) => {
  // JavaScript's order is another one only where a text has characters of more than 16 bits.
  const isSame = !texts.some(text => /[\ud800-\udfff]/.test(text))
  const bytes = isSame ? [] : texts.map(text => Buffer.from(text))
  const compare = (a: number, b: number): number => {
    if (!isSame) return Buffer.compare(bytes[a] as Buffer, bytes[b] as Buffer)
    const [one, other] = [texts[a] as string, texts[b] as string]
    return one < other ? -1 : one > other ? 1 : 0
  }
  return (a, b) => compare(a, b) || (slots[a] as number) - (slots[b] as number)
}

/** Some of the rows of a term, one after the other, without repetition. */
const rowsAt = (rows: readonly number[], places: Uint32Array, isMeant: (n: number) => boolean): number[] => {
  const found: number[] = []
  for (const [n, place] of places.entries()) {
    const row = rows[place] as number
    if (isMeant(n) && found.at(-1) !== row) found.push(row)
  }
  return found
}

function* addTerms(
  writer: LexiconWriter,
  all: Numbered & Standing,
  order: readonly number[],
): Generator<void, undefined> {
  const { texts, slots, terms, rows, begins, ends } = all
  const starts = startsOf(terms, texts.length)
  const byTerm = sortedPlaces(terms, texts.length)
  for (const [added, number] of order.entries()) {
    const places = byTerm.subarray(starts[number], starts[number + 1])
    writer.addTerm(Buffer.from(texts[number] as string), slots[number] as number, {
      rows: rowsAt(rows, places, () => true),
      repeats: rowsAt(rows, places, n => n > 0 && rows[places[n] as number] === rows[places[n - 1] as number]),
      begins: rowsAt(rows, places, n => begins[places[n] as number] as boolean),
      ends: rowsAt(rows, places, n => ends[places[n] as number] as boolean),
    })
    if (added % entriesAtOnce === entriesAtOnce - 1) yield
  }
}

/** What stands where, by the places of terms in their order. */
const placed = ({ terms }: Standing, order: readonly number[]): Uint32Array => {
  const places = new Uint32Array(order.length)
  for (let place = 0; place < order.length; place++) places[order[place] as number] = place
  const standing = new Uint32Array(terms.length)
  for (let n = 0; n < terms.length; n++) standing[n] = places[terms[n] as number] as number
  return standing
}

/** All pairs one after the other, in the order of their first terms, then of their second ones, then of the rows. */
type Pairs = { firsts: Uint32Array; seconds: Uint32Array; rows: Uint32Array }

const pairsOf = ({ rows, ends }: Standing, terms: Uint32Array, size: number): Pairs => {
  const [firsts, seconds, where]: [number[], number[], number[]] = [[], [], []]
  for (let n = 0; n < terms.length; n++) {
    if (ends[n]) continue
    firsts.push(terms[n] as number)
    seconds.push(terms[n + 1] as number)
    where.push(rows[n] as number)
  }
  const sorted = sortedPlaces(firsts, size, sortedPlaces(seconds, size))
  return {
    firsts: sorted.map(n => firsts[n] as number),
    seconds: sorted.map(n => seconds[n] as number),
    rows: sorted.map(n => where[n] as number),
  }
}

/** Adds the pair that stands at a place, and tells where the next one begins. */
const addPair = (writer: LexiconWriter, { firsts, seconds, rows }: Pairs, start: number): number => {
  const [first, second] = [firsts[start] as number, seconds[start] as number]
  const found: number[] = []
  let at = start
  for (; firsts[at] === first && seconds[at] === second; at++) {
    const row = rows[at] as number
    if (found.at(-1) !== row) found.push(row)
  }
  writer.addPair(first, second, found)
  return at
}

const addRows = (writer: LexiconWriter, { rows }: Standing, terms: Uint32Array, count: number): void => {
  let at = 0
  for (let row = 0; row < count; row++) {
    for (; rows[at] === row; at++) writer.addToRow(terms[at] as number)
    writer.endRow()
  }
}

/** Makes a lexicon of rows' folded texts by slot, a slice at a time. */
export function* buildLexicon(texts: readonly (readonly string[])[]): Generator<void, Lexicon> {
  const all = yield* readTexts(texts)
  const order = yield* sortInSlices(all.texts.length, comparisonOf(all))
  const writer = new LexiconWriter(texts.length)
  yield* addTerms(writer, all, order)
  const terms = placed(all, order)
  const pairs = pairsOf(all, terms, order.length)
  for (let [at, added] = [0, 1]; at < pairs.rows.length; added++) {
    at = addPair(writer, pairs, at)
    if (added % entriesAtOnce === 0) yield
  }
  addRows(writer, all, terms, texts.length)
  yield
  const core = yield* writer.finish()
  return { ...core, ...(yield* gramsOf(core)), ...triplesOf(core) }
}
