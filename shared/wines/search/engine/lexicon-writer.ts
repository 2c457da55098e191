import { gramsOf } from './grams.ts'
import type { Lexicon } from './lexicon.ts'
import { numberAt } from './numbers.ts'
import { PostingsWriter } from './postings.ts'
import { ByteWriter } from './varint.ts'
import { byEnding, vocabularyOf } from './vocabulary.ts'

/** What a lexicon tells of the rows of a term. */
export type TermRows = 'rows' | 'repeats' | 'begins' | 'ends'

/** Puts a lexicon together: its terms in order, then its pairs in order, then the terms of each row. */
export class LexiconWriter {
  readonly #texts: Buffer[] = []
  readonly #slots: number[] = []
  readonly #terms: Record<TermRows, PostingsWriter>
  readonly #firsts: number[] = []
  readonly #seconds: number[] = []
  readonly #pairRows: PostingsWriter
  readonly #stream = new ByteWriter()
  readonly #streams: number[] = [0]

  constructor(rows: number) {
    const writer = () => new PostingsWriter(rows)
    this.#terms = { rows: writer(), repeats: writer(), begins: writer(), ends: writer() }
    this.#pairRows = writer()
  }

  /** Adds the next term, unless no row has it, and gives its number; -1 for none. Each answer is used before the next. */
  addTerm(text: Buffer, slot: number, rowsOf: (which: TermRows) => ArrayLike<number>): number {
    const rows = rowsOf('rows')
    if (rows.length === 0) return -1
    this.#terms.rows.add(rows)
    for (const which of ['repeats', 'begins', 'ends'] as const) this.#terms[which].add(rowsOf(which))
    this.#slots.push(slot)
    return this.#texts.push(text) - 1
  }

  /** Adds the next pair of terms, unless no row has it. */
  addPair(first: number, second: number, rows: ArrayLike<number>): void {
    if (rows.length === 0) return
    this.#firsts.push(first)
    this.#seconds.push(second)
    this.#pairRows.add(rows)
  }

  /** Adds a term to the next row. */
  addToRow(term: number): void {
    this.#stream.addNumber(term)
  }

  endRow(): void {
    this.#streams.push(this.#stream.length)
  }

  finish(): Lexicon {
    const terms = vocabularyOf(this.#texts)
    const pairs = new Uint32Array(this.#texts.length + 1)
    for (const first of this.#firsts) pairs[first + 1] = numberAt(pairs, first + 1) + 1
    for (let term = 0; term + 1 < pairs.length; term++)
      pairs[term + 1] = numberAt(pairs, term + 1) + numberAt(pairs, term)
    const { rows, repeats, begins, ends } = this.#terms
    const core = {
      terms,
      slots: Uint8Array.from(this.#slots),
      endings: byEnding(terms),
      rows: rows.finish(),
      repeats: repeats.finish(),
      begins: begins.finish(),
      ends: ends.finish(),
      pairs,
      seconds: Uint32Array.from(this.#seconds),
      pairRows: this.#pairRows.finish(),
      streams: Uint32Array.from(this.#streams),
      stream: this.#stream.finish(),
    }
    return { ...core, ...gramsOf(core) }
  }
}
