import { type Bits, bitsBetween, countBits, forEachBit, intersect, noBits, setBit, unite } from './bits.ts'
import { bytesOf } from './numbers.ts'
import { ByteWriter } from './varint.ts'

/**
 * Sets of rows, one for each number from 0 on: entry n has `counts[n]` rows, which are in `data` from `starts[n]` up to
 * `starts[n + 1]`: as the words of a bit set if that is shorter, otherwise delta-encoded as varints.
 */
export type Postings = { rows: number; counts: Uint32Array; starts: Uint32Array; data: Uint8Array }

// A difference takes at least a byte, a row of a bit set an eighth of a byte.
const isDense = (count: number, rows: number): boolean => count * 8 > rows

const wordBytes = 4

export class PostingsWriter {
  readonly #rows: number
  readonly #data = new ByteWriter()
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
    for (let n = 0; n < rows.length; n++) setBit(bits, rows[n])
    this.#addWords(bits, rows.length)
  }

  /** Adds the next entry: a set. */
  addBits(bits: Bits): void {
    const count = countBits(bits)
    if (isDense(count, this.#rows)) this.#addWords(bits, count)
    else this.#addDifferences(bitsBetween(bits, 0, count))
  }

  #endEntry(count: number): void {
    this.#counts.push(count)
    this.#starts.push(this.#data.length)
  }

  #addWords(bits: Bits, count: number): void {
    // So that it can be read as words.
    this.#data.addAligned(new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength), wordBytes)
    this.#starts[this.#starts.length - 1] = this.#data.length - bits.byteLength
    this.#endEntry(count)
  }

  #addDifferences(rows: ArrayLike<number>): void {
    let last = 0
    for (let n = 0; n < rows.length; n++) {
      const row = rows[n]
      this.#data.addNumber(row - last)
      last = row
    }
    this.#endEntry(rows.length)
  }

  finish(): Postings {
    const [counts, starts] = [Uint32Array.from(this.#counts), Uint32Array.from(this.#starts)]
    return { rows: this.#rows, counts, starts, data: this.#data.finish() }
  }
}

const wordsOf = ({ rows, data }: Postings, start: number): Bits =>
  new Uint32Array(data.buffer, data.byteOffset + start, (rows + 31) >>> 5)

/** Calls for each row of an entry in ascending order. */
export const forEachPosting = (postings: Postings, entry: number, act: (row: number) => void): void => {
  const { rows, counts, starts, data } = postings
  const count = counts[entry]
  let at = starts[entry]
  if (isDense(count, rows)) {
    forEachBit(wordsOf(postings, at), act)
    return
  }
  let row = 0
  for (let n = 0; n < count; n++) {
    let byte = data[at++]
    let difference = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = data[at++]
      difference |= (byte & 127) << shift
    }
    row += difference
    act(row)
  }
}

/** Adds the rows of an entry to a set. The loop of `forEachPosting` without its call, which takes most of its time. */
export const addPostings = (bits: Bits, postings: Postings, entry: number): void => {
  const { rows, counts, starts, data } = postings
  const count = counts[entry]
  let at = starts[entry]
  if (isDense(count, rows)) {
    unite(bits, wordsOf(postings, at))
    return
  }
  let row = 0
  for (let n = 0; n < count; n++) {
    let byte = data[at++]
    let difference = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = data[at++]
      difference |= (byte & 127) << shift
    }
    row += difference
    bits[row >>> 5] = bits[row >>> 5] | (1 << (row & 31))
  }
}

/** Removes from a set the rows that are not in an entry. The loop of `addPostings` again, for the same reason. */
export const intersectPostings = (bits: Bits, postings: Postings, entry: number): void => {
  if (isDense(postings.counts[entry], postings.rows)) {
    intersect(bits, wordsOf(postings, postings.starts[entry]))
    return
  }
  const { counts, starts, data } = postings
  const count = counts[entry]
  let at = starts[entry]
  let [row, word, kept] = [0, 0, 0]
  for (let n = 0; n < count; n++) {
    let byte = data[at++]
    let difference = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = data[at++]
      difference |= (byte & 127) << shift
    }
    row += difference
    if (row >>> 5 !== word) {
      bits[word] &= kept
      for (word++; word < row >>> 5; word++) bits[word] = 0
      kept = 0
    }
    kept |= 1 << (row & 31)
  }
  bits[word] &= kept
  bits.fill(0, word + 1)
}

/** The cost of uniting or intersecting an entry with a set: its words, or else its bytes. */
export const entryCost = ({ rows, counts, starts }: Postings, entry: number): number => {
  const bytes = starts[entry + 1] - starts[entry]
  return isDense(counts[entry], rows) ? bytes / wordBytes : bytes
}

/** The rows of an entry as a set. */
export const postingBits = (postings: Postings, entry: number): Bits => {
  const bits = noBits(postings.rows)
  addPostings(bits, postings, entry)
  return bits
}

/** The arrays of postings in their packed order. */
export const arraysOfPostings = ({ counts, starts, data }: Postings): (Uint8Array | Uint32Array)[] => [
  counts,
  starts,
  data,
]

export const postingsBytes = (postings: Postings): number => bytesOf(arraysOfPostings(postings))
