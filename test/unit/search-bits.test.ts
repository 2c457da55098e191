import fc from 'fast-check'
import { bitsBetween, countBits, directoryOf, noBits, setBit } from '../../shared/search/bits.ts'

const sets = fc.uniqueArray(fc.nat(499), { minLength: 1, maxLength: 300 }).map(rows => {
  const bits = noBits(500)
  for (const row of rows) setBit(bits, row)
  return { bits, rows: rows.toSorted((a, b) => a - b) }
})

test('a directory returns the first rows of a set by place, and the number of rows before each', () => {
  fc.assert(
    fc.property(sets, fc.integer({ min: 1, max: 350 }), ({ bits, rows }, most) => {
      const { rowAt, countBelow } = directoryOf(bits, most)
      const first = rows.slice(0, most)
      expect(first.map((_, n) => rowAt(n))).toEqual(first)
      const last = first.at(-1) ?? 0
      for (let row = 0; row <= last + 1; row++) expect(countBelow(row)).toBe(countBits(bits, row))
    }),
  )
})

test('the rows between two places of a set are those, ascending', () => {
  fc.assert(
    fc.property(sets, fc.nat(320), fc.nat(320), ({ bits, rows }, start, end) => {
      expect(bitsBetween(bits, start, end)).toEqual(rows.slice(start, Math.max(start, end)))
    }),
  )
})
