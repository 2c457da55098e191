import { addBits, type Bits, bitsBetween, countBits, eachBit, noBits, setBit } from './bits.ts'
import { numberAt } from './numbers.ts'

/**
 * Sets of rows, one for each number from 0 on: entry n has `counts[n]` rows, which stand in `data` from `starts[n]` up
 * to `starts[n + 1]`; as the words of a bit set where that is shorter, as ascending differences of 7 bits a byte
 * otherwise.
 */
export type Postings = { rows: number; counts: Uint32Array; starts: Uint32Array; data: Uint8Array }

// A difference takes a byte at least, a row of a bit set an eighth of one.
const isDense = (count: number, rows: number): boolean => count * 8 > rows

const wordBytes = 4

/** Puts postings together, entry by entry. */
export class PostingsWriter {
  readonly #rows: number
  #data = new Uint8Array(1024)
  #end = 0
  readonly #counts: number[] = []
  readonly #starts: number[] = [0]

  constructor(rows: number) {
    this.#rows = rows
  }

  /** Adds the next entry: ascending rows. */
  add(rows: ArrayLike<number>): void {
    if (!isDense(rows.length, this.#rows)) {
      this.#addDifferences(rows)
      return
    }
    const bits = noBits(this.#rows)
    for (let n = 0; n < rows.length; n++) setBit(bits, rows[n] as number)
    this.#addWords(bits, rows.length)
  }

  /** Adds the next entry: a set. */
  addBits(bits: Bits): void {
    const count = countBits(bits)
    if (isDense(count, this.#rows)) this.#addWords(bits, count)
    else this.#addDifferences(bitsBetween(bits, 0, count))
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#data.length) return
    const data = new Uint8Array(Math.max(2 * this.#data.length, this.#end + bytes))
    data.set(this.#data)
    this.#data = data
  }

  #endEntry(count: number): void {
    this.#counts.push(count)
    this.#starts.push(this.#end)
  }

  #addWords(bits: Bits, count: number): void {
    // So that it can be read as words.
    const start = Math.ceil(this.#end / wordBytes) * wordBytes
    this.#starts[this.#starts.length - 1] = start
    this.#reserve(start - this.#end + bits.byteLength)
    this.#data.set(new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength), start)
    this.#end = start + bits.byteLength
    this.#endEntry(count)
  }

  #addDifferences(rows: ArrayLike<number>): void {
    this.#reserve(5 * rows.length)
    let last = 0
    for (let n = 0; n < rows.length; n++) {
      const row = rows[n] as number
      let rest = row - last
      last = row
      for (; rest > 127; rest >>>= 7) this.#data[this.#end++] = (rest & 127) | 128
      this.#data[this.#end++] = rest
    }
    this.#endEntry(rows.length)
  }

  finish(): Postings {
    const [counts, starts] = [Uint32Array.from(this.#counts), Uint32Array.from(this.#starts)]
    return { rows: this.#rows, counts, starts, data: this.#data.slice(0, this.#end) }
  }
}

const wordsOf = ({ rows, data }: Postings, start: number): Bits =>
  new Uint32Array(data.buffer, data.byteOffset + start, (rows + 31) >>> 5)

/** Calls for each row of an entry, ascending. */
export const eachPosting = (postings: Postings, entry: number, act: (row: number) => void): void => {
  const { rows, counts, starts, data } = postings
  const count = numberAt(counts, entry)
  let at = numberAt(starts, entry)
  if (isDense(count, rows)) {
    eachBit(wordsOf(postings, at), act)
    return
  }
  let row = 0
  for (let n = 0; n < count; n++) {
    let byte = numberAt(data, at++)
    let difference = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = numberAt(data, at++)
      difference |= (byte & 127) << shift
    }
    row += difference
    act(row)
  }
}

/** Adds the rows of an entry to a set. */
export const addPostings = (bits: Bits, postings: Postings, entry: number): void => {
  const { rows, counts, starts } = postings
  if (isDense(numberAt(counts, entry), rows)) addBits(bits, wordsOf(postings, numberAt(starts, entry)))
  else eachPosting(postings, entry, row => setBit(bits, row))
}

/** The rows of an entry as a set. */
export const postingBits = (postings: Postings, entry: number): Bits => {
  const bits = noBits(postings.rows)
  addPostings(bits, postings, entry)
  return bits
}

export const postingsBytes = ({ counts, starts, data }: Postings): number =>
  counts.byteLength + starts.byteLength + data.byteLength
