import type { Lexicon } from './lexicon.ts'
import { LexiconWriter } from './lexicon-writer.ts'
import { numberAt } from './numbers.ts'
import { termsOf } from './terms.ts'

/** Adds a row to an ascending list that may have it already; tells whether it had. */
const addRow = (rows: number[], row: number): boolean => {
  if (rows.at(-1) === row) return true
  rows.push(row)
  return false
}

// Terms are numbered as they come while a lexicon is built; two of them in one number of a double.
const pairKey = (first: number, second: number): number => first * 2 ** 26 + second

/** A lexicon of rows' folded texts by slot. */
export const buildLexicon = (texts: readonly (readonly string[])[]): Lexicon => {
  const numbers = new Map<string, number>()
  const found: { text: Buffer; slot: number; rows: number[]; repeats: number[]; begins: number[]; ends: number[] }[] =
    []
  const pairs = new Map<number, { first: number; second: number; rows: number[] }>()
  const termOf = (text: string, slot: number): number => {
    // The slot ends the key, so that no text runs into it.
    const key = text + String.fromCharCode(slot)
    const number =
      numbers.get(key) ?? found.push({ text: Buffer.from(text), slot, rows: [], repeats: [], begins: [], ends: [] }) - 1
    numbers.set(key, number)
    return number
  }
  const streams = texts.map((slots, row) =>
    slots.flatMap((text, slot) => {
      const terms = termsOf(text).map(one => termOf(one, slot))
      for (const [n, term] of terms.entries()) {
        const one = found[term]
        if (one && addRow(one.rows, row)) addRow(one.repeats, row)
        const before = terms[n - 1]
        if (n === terms.length - 1) one?.ends.push(row)
        if (n === 0) one?.begins.push(row)
        if (before === undefined) continue
        const key = pairKey(before, term)
        const pair = pairs.get(key) ?? { first: before, second: term, rows: [] }
        pairs.set(key, pair)
        addRow(pair.rows, row)
      }
      return terms
    }),
  )
  const order = [...found.entries()].sort(([, a], [, b]) => Buffer.compare(a.text, b.text) || a.slot - b.slot)
  const places = new Uint32Array(found.length)
  for (const [place, [number]] of order.entries()) places[number] = place
  const writer = new LexiconWriter(texts.length)
  for (const [, one] of order) writer.addTerm(one.text, one.slot, which => one[which])
  const placeOf = (number: number): number => numberAt(places, number)
  const inOrder = [...pairs.values()].sort(
    (a, b) => placeOf(a.first) - placeOf(b.first) || placeOf(a.second) - placeOf(b.second),
  )
  for (const { first, second, rows } of inOrder) writer.addPair(placeOf(first), placeOf(second), rows)
  for (const terms of streams) {
    for (const term of terms) writer.addToRow(placeOf(term))
    writer.endRow()
  }
  return writer.finish()
}
