import type { LexiconCore } from './lexicon.ts'
import { offsetsOf } from './numbers.ts'
import { PostingsWriter } from './postings.ts'
import { ByteWriter } from './varint.ts'
import { byEnding, vocabularyOf } from './vocabulary.ts'

/** The postings of a term. */
type TermRows = 'rows' | 'repeats'

/** Writes a lexicon: its terms in order, its bigrams in order, then the terms of each row. */
export class LexiconWriter {
  readonly #texts: Buffer[] = []
  readonly #slots: number[] = []
  readonly #terms: Record<TermRows, PostingsWriter>
  readonly #firsts: number[] = []
  readonly #seconds: number[] = []
  readonly #bigramRows: PostingsWriter
  readonly #stream = new ByteWriter()
  readonly #streams: number[] = [0]

  constructor(rows: number) {
    const writer = () => new PostingsWriter(rows)
    this.#terms = { rows: writer(), repeats: writer() }
    this.#bigramRows = writer()
  }

  /** Adds the next term, unless no row has it, and returns its number; -1 for none. */
  addTerm(text: Buffer, slot: number, { rows, repeats }: Record<TermRows, ArrayLike<number>>): number {
    if (rows.length === 0) return -1
    this.#terms.rows.add(rows)
    this.#terms.repeats.add(repeats)
    this.#slots.push(slot)
    return this.#texts.push(text) - 1
  }

  /** Adds the next bigram, unless no row has it. */
  addBigram(first: number, second: number, rows: ArrayLike<number>): void {
    if (rows.length === 0) return
    this.#firsts.push(first)
    this.#seconds.push(second)
    this.#bigramRows.add(rows)
  }

  /** Adds a term to the next row. */
  addToRow(term: number): void {
    this.#stream.addNumber(term)
  }

  endRow(): void {
    this.#streams.push(this.#stream.length)
  }

  finish(): LexiconCore {
    const terms = vocabularyOf(this.#texts)
    const { rows, repeats } = this.#terms
    return {
      terms,
      slots: Uint8Array.from(this.#slots),
      endings: byEnding(terms),
      rows: rows.finish(),
      repeats: repeats.finish(),
      bigrams: offsetsOf(this.#firsts, this.#texts.length),
      seconds: Uint32Array.from(this.#seconds),
      bigramRows: this.#bigramRows.finish(),
      streams: Uint32Array.from(this.#streams),
      stream: this.#stream.finish(),
    }
  }
}
