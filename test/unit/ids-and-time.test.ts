import fc from 'fast-check'
import * as v from 'valibot'
import { Timestamp } from '../../shared/contract/wire.ts'
import { timeOrderedId } from '../../shared/ids.ts'
import { parseTimestamp, timestamp, unixSeconds } from '../../shared/time.ts'

const first = Date.UTC(2026, 0, 1)
const last = Date.UTC(2095, 0, 1)
const moment = fc.integer({ min: first, max: last })

describe('ids that need no counter', () => {
  test('from 2026 to 2095 they are whole numbers of 0 to 2^53 - 1', () => {
    fc.assert(
      fc.property(moment, now => {
        const id = timeOrderedId(now)
        expect(Number.isSafeInteger(id)).toBe(true)
        expect(id).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('a later millisecond gives a higher one', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 1000 }), (now, later) => {
        expect(timeOrderedId(now + later)).toBeGreaterThan(timeOrderedId(now))
      }),
    )
  })

  test('those of one millisecond differ in 12 bits', () => {
    const ids = Array.from({ length: 200 }, () => timeOrderedId(first))
    expect(Math.max(...ids)).toBeLessThan(4096)
    expect(new Set(ids).size).toBeGreaterThan(100)
  })

  test('without a moment they are of now', () => {
    const before = timeOrderedId(Date.now() - 1)
    expect(timeOrderedId()).toBeGreaterThan(before)
  })
})

describe('timestamps', () => {
  test.each([
    [0, '1970-01-01 00:00:00'],
    [Date.UTC(2026, 1, 28, 23, 59, 59, 999), '2026-02-28 23:59:59'],
    [Date.UTC(2028, 1, 29), '2028-02-29 00:00:00'],
    [new Date('2026-07-01T12:00:00+02:00'), '2026-07-01 10:00:00'],
  ])('%p is %s', (when, expected) => {
    expect(timestamp(when)).toBe(expected)
  })

  test('one is read back to its second, whatever the time zone', () => {
    fc.assert(
      fc.property(moment, when => {
        const written = timestamp(when)
        expect(v.is(Timestamp, written)).toBe(true)
        expect(parseTimestamp(written)).toBe(Math.floor(when / 1000) * 1000)
        expect(timestamp(parseTimestamp(written))).toBe(written)
      }),
    )
  })

  test('they sort as text as they do as moments', () => {
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        expect(timestamp(one) < timestamp(other)).toBe(unixSeconds(one) < unixSeconds(other))
      }),
    )
  })

  test.each(['', 'yesterday', '2026-13-01 00:00:00', '2026-01-31 25:00:00'])('"%s" is no moment', written => {
    expect(parseTimestamp(written)).toBe(Number.NaN)
  })
})

test.each([
  [0, 0],
  [999, 0],
  [1000, 1],
  [1_767_225_599_999, 1_767_225_599],
])('%i ms are %i s, parts of a second cut off', (milliseconds, seconds) => {
  expect(unixSeconds(milliseconds)).toBe(seconds)
})
