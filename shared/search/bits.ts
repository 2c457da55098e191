// These loops run millions of times: they contain no calls.

import { lowerBound } from './numbers.ts'

/** A bit set of rows: row n is bit n % 32 of word n / 32; bits beyond the last row are never set. */
export type Bits = Uint32Array

/** The empty set of `rows` possible rows. */
export const noBits = (rows: number): Bits => new Uint32Array((rows + 31) >>> 5)

export const fullBits = (rows: number): Bits => {
  const bits = noBits(rows).fill(0xffffffff)
  const rest = rows & 31
  if (rest > 0) bits[bits.length - 1] = 2 ** rest - 1
  return bits
}

export const setBit = (bits: Bits, row: number): void => {
  bits[row >>> 5] = bits[row >>> 5] | (1 << (row & 31))
}

export const clearBit = (bits: Bits, row: number): void => {
  bits[row >>> 5] = bits[row >>> 5] & ~(1 << (row & 31))
}

export const hasBit = (bits: Bits, row: number): boolean => (bits[row >>> 5] & (1 << (row & 31))) !== 0

/** Removes the rows that are not in another set. */
export const intersect = (bits: Bits, others: Bits): void => {
  for (let n = 0; n < bits.length; n++) bits[n] &= others[n]
}

/** Removes the rows of another set; returns the number of those that remain. */
export const subtract = (bits: Bits, others: Bits): number => {
  let count = 0
  for (let n = 0; n < bits.length; n++) {
    const left = bits[n] & ~others[n]
    bits[n] = left
    if (left !== 0) count += onesIn(left)
  }
  return count
}

/** Adds the rows of another set. */
export const unite = (bits: Bits, others: Bits): void => {
  for (let n = 0; n < bits.length; n++) bits[n] |= others[n]
}

// Population count: the sums of two bits, then of four, then of eight, which the multiplication adds up.
const onesIn = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The number of rows below `end` in a set. */
export const countBits = (bits: Bits, end = bits.length * 32): number => {
  const whole = Math.min(end >>> 5, bits.length)
  let count = 0
  for (let n = 0; n < whole; n++) count += onesIn(bits[n])
  const rest = end & 31
  return rest > 0 && whole < bits.length ? count + onesIn(bits[whole] & (2 ** rest - 1)) : count
}

/** Calls for each row in ascending order. */
export const forEachBit = (bits: Bits, act: (row: number) => void): void => {
  for (let n = 0; n < bits.length; n++) {
    for (let word = bits[n]; word !== 0; word &= word - 1) act(n * 32 + 31 - Math.clz32(word & -word))
  }
}

/** The rows from the `start`-th up to, but excluding, the `end`-th, ascending. */
export const bitsBetween = (bits: Bits, start: number, end: number): number[] => {
  const rows: number[] = []
  let passed = 0
  for (let n = 0; n < bits.length && passed < end; n++) {
    let word = bits[n]
    const ones = onesIn(word)
    if (passed + ones <= start) {
      passed += ones
      continue
    }
    for (; word !== 0 && passed < end; word &= word - 1, passed++) {
      if (passed >= start) rows.push(n * 32 + 31 - Math.clz32(word & -word))
    }
  }
  return rows
}

/** Select and rank of a set: `rowAt` returns the n-th row, `countBelow` the number of rows before a row. */
export type Directory = { rowAt: (n: number) => number; countBelow: (row: number) => number }

/** A directory of at least the first `max` rows of a set; undefined behaviour beyond them. */
export const directoryOf = (bits: Bits, max: number): Directory => {
  const before: number[] = []
  let passed = 0
  for (let n = 0; n < bits.length && passed < max; n++) {
    before.push(passed)
    passed += onesIn(bits[n])
  }
  before.push(passed)
  return {
    rowAt: n => {
      const place = lowerBound(before.length, one => before[one] > n) - 1
      let word = bits[place]
      for (let left = n - before[place]; left > 0; left--) word &= word - 1
      return place * 32 + 31 - Math.clz32(word & -word)
    },
    countBelow: row => {
      const [place, rest] = [row >>> 5, row & 31]
      return before[place] + (rest > 0 ? onesIn(bits[place] & (2 ** rest - 1)) : 0)
    },
  }
}
