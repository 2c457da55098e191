// Loops over words run millions of times: no call stands in them, and no word is looked for that is not there.

import { firstPlace } from './numbers.ts'

/** A set of rows: row n is bit n % 32 of word n / 32; bits beyond the last row are never set. */
export type Bits = Uint32Array

/** The empty set over so many rows. */
export const noBits = (rows: number): Bits => new Uint32Array((rows + 31) >>> 5)

/** The set of all of so many rows. */
export const allBits = (rows: number): Bits => {
  const bits = noBits(rows).fill(0xffffffff)
  const rest = rows & 31
  if (rest > 0) bits[bits.length - 1] = 2 ** rest - 1
  return bits
}

export const setBit = (bits: Bits, row: number): void => {
  bits[row >>> 5] = bits[row >>> 5] | (1 << (row & 31))
}

export const dropBit = (bits: Bits, row: number): void => {
  bits[row >>> 5] = bits[row >>> 5] & ~(1 << (row & 31))
}

export const hasBit = (bits: Bits, row: number): boolean => (bits[row >>> 5] & (1 << (row & 31))) !== 0

/** Leaves in a set what another one has as well. */
export const keepCommon = (bits: Bits, others: Bits): void => {
  for (let n = 0; n < bits.length; n++) bits[n] &= others[n]
}

/** Takes out of a set what another one has; returns how many rows are left. */
export const countWithout = (bits: Bits, others: Bits): number => {
  let count = 0
  for (let n = 0; n < bits.length; n++) {
    const left = bits[n] & ~others[n]
    bits[n] = left
    if (left !== 0) count += onesIn(left)
  }
  return count
}

/** Adds another set. */
export const addBits = (bits: Bits, others: Bits): void => {
  for (let n = 0; n < bits.length; n++) bits[n] |= others[n]
}

// The sums of pairs of bits, then of four, then of eight, which the multiplication adds up.
const onesIn = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** How many rows below `end` are in a set. */
export const countBits = (bits: Bits, end = bits.length * 32): number => {
  const whole = Math.min(end >>> 5, bits.length)
  let count = 0
  for (let n = 0; n < whole; n++) count += onesIn(bits[n])
  const rest = end & 31
  return rest > 0 && whole < bits.length ? count + onesIn(bits[whole] & (2 ** rest - 1)) : count
}

/** Calls for each row of a set, ascending. */
export const eachBit = (bits: Bits, act: (row: number) => void): void => {
  for (let n = 0; n < bits.length; n++) {
    for (let word = bits[n]; word !== 0; word &= word - 1) act(n * 32 + 31 - Math.clz32(word & -word))
  }
}

/** The rows of a set from the `start`-th up to, without, the `end`-th, ascending. */
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

/** Where the rows of a set stand in it: `rowAt` tells the n-th one, `countBelow` how many come before a row. */
export type Directory = { rowAt: (n: number) => number; countBelow: (row: number) => number }

/** A directory of the first rows of a set, `most` at least if it has as many; of what comes after them it knows nothing. */
export const directoryOf = (bits: Bits, most: number): Directory => {
  const before: number[] = []
  let passed = 0
  for (let n = 0; n < bits.length && passed < most; n++) {
    before.push(passed)
    passed += onesIn(bits[n])
  }
  before.push(passed)
  return {
    rowAt: n => {
      const place = firstPlace(before.length, one => before[one] > n) - 1
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
