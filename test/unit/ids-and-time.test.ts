import fc from 'fast-check'
import * as v from 'valibot'
import { Timestamp } from '../../shared/contract/schema/wire.ts'
import { parseTimestamp, timeOrderedId, timestamp, unixSeconds } from '../../shared/values/time.ts'
import { pinRandomInt, useFakeClock } from '../support/fake-clock.ts'

const first = Date.UTC(2026, 0, 1)
const last = Date.UTC(2095, 0, 1)
const moment = fc.integer({ min: first, max: last })

describe('ids without a counter', () => {
  const clock = useFakeClock(first)
  const chance = pinRandomInt(0)
  const drawn = (now: number, bits: number): number => {
    Object.assign(clock, { now })
    Object.assign(chance, { value: bits })
    return timeOrderedId()
  }

  test('are milliseconds since 2026 and 12 random bits', () => {
    expect([drawn(first, 5), drawn(first, 4095), drawn(first + 3, 0)]).toEqual([5, 4095, 3 * 4096])
  })

  test('rise, also if time and random bits stay or go back', () => {
    const id = drawn(first + 10, 7)
    expect([drawn(first + 10, 7), drawn(first + 10, 3), drawn(first + 9, 9)]).toEqual([id + 1, id + 2, id + 3])
    expect(drawn(first + 11, 0)).toBeGreaterThan(id + 3)
  })

  test('are below 2^53 until 2095', () => {
    expect(drawn(last, 4095)).toBeLessThan(2 ** 53)
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

  test('a timestamp is parsed to its second, in any time zone', () => {
    fc.assert(
      fc.property(moment, when => {
        const written = timestamp(when)
        expect(v.is(Timestamp, written)).toBe(true)
        expect(parseTimestamp(written)).toBe(Math.floor(when / 1000) * 1000)
        expect(timestamp(parseTimestamp(written))).toBe(written)
      }),
    )
  })

  test('they sort as text in order of time', () => {
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        expect(timestamp(one) < timestamp(other)).toBe(unixSeconds(one) < unixSeconds(other))
      }),
    )
  })

  test.each(['', 'yesterday', '2026-13-01 00:00:00', '2026-01-31 25:00:00'])('"%s" is no timestamp', written => {
    expect(parseTimestamp(written)).toBe(Number.NaN)
  })
})

test.each([
  [0, 0],
  [999, 0],
  [1000, 1],
  [1_767_225_599_999, 1_767_225_599],
])('%i ms are %i s, rounded down', (milliseconds, seconds) => {
  expect(unixSeconds(milliseconds)).toBe(seconds)
})
