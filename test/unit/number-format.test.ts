import fc from 'fast-check'
import { type Former, firstSeries, numberingsOf, withNumberings } from '../../shared/orders/numbering/formats.ts'
import { type Numbers, takeNumber } from '../../shared/orders/numbering/numbers.ts'
import {
  canCollide,
  isNumberFormat,
  periodOf,
  readNumber,
  skeletonOf,
  writeNumber,
} from '../../shared/values/number-format.ts'

// The formats of document numbers, and the changes of them that could give a number twice.

const literal = fc.stringMatching(/^[A-Ca0-2-]{0,3}$/)
const count = fc.constantFrom('{n}', '{n:2}', '{n:5}')
const dated = fc.constantFrom('', '{year}', '{year}{month}', '{month}-{year}')
const format = fc
  .tuple(literal, dated, literal, count, literal, fc.boolean())
  .map(([a, date, b, n, c, isLast]) => (isLast ? `${a}${n}${b}${date}${c}` : `${a}${date}${b}${n}${c}`))
  .filter(isNumberFormat)
const period = fc.constantFrom('2026-12', '2027-01', '2027-11')
const n = fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 10 ** 9 }))
const written = (one: string, day: string, count: number) =>
  writeNumber(
    one,
    periodOf(one, () => `${day}-15` as `${number}-${number}-${number}`),
    count,
  )

test.each([
  '{n}',
  'R-{n}',
  'RE-{year}-{n:5}',
  '{n:12}',
  '{year}{month}_{n}',
  '1{n}',
  '{month}.{year}.{n}x',
])('%s is a format', one => expect(isNumberFormat(one)).toBe(true))

test.each([
  ...['', 'R-', '{n}{n}', '{n}-{n:5}', '{n:0}', '{n:13}', '{n:05}', '{N}', '{year}', '{month}-{n}', '{day}-{n}'],
  ...['{year}{year}{n}', '{year}{month}{month}{n}', 'R/{n}', 'R {n}', 'Ü{n}', '-{n}', '.{n}', '_{n}', 'R{n', '=1{n}'],
  ...['R-{n}\n', '"{n}"', '<{n}>', '&{n}', `${'x'.repeat(38)}{n}`],
])('%j is none', one => expect(isNumberFormat(one)).toBe(false))

test('a number has the year and month of its period, and so many digits at least', () => {
  expect(writeNumber('R-{year}-{n:5}', '2026', 12)).toBe('R-2026-00012')
  expect(writeNumber('{month}.{year}-{n:2}', '2027-01', 123)).toBe('01.2027-123')
  expect(writeNumber('{n}', '', 7)).toBe('7')
})

test('a format writes each number once, and reads it again', () => {
  fc.assert(
    fc.property(format, period, n, period, n, (one, day, count, otherDay, other) => {
      const number = written(one, day, count)
      const place = periodOf(one, () => `${day}-15` as `${number}-${number}-${number}`)
      expect(readNumber(one, place, number)).toBe(count)
      if (count !== other) expect(written(one, day, other)).not.toBe(number)
      if (one.includes('{month}') && day !== otherDay) expect(written(one, otherDay, count)).not.toBe(number)
      expect(number).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/)
    }),
  )
})

test.each(['R-', 'R-0', 'R-05', 'R-1x', 'r-1', 'K-1', 'R-1e3', 'R--1', 'R- 1', '1'])('R-{n} never wrote %j', number =>
  expect(readNumber('R-{n}', '', number)).toBeUndefined())

test('two formats that write the same number can collide', () => {
  fc.assert(
    fc.property(format, format, period, n, n, (one, other, day, a, b) => {
      fc.pre(skeletonOf(one) !== skeletonOf(other))
      if (written(one, day, a).toLowerCase() !== written(other, day, b).toLowerCase()) return
      expect(canCollide({ format: one }, { format: other })).toBe(true)
      expect(canCollide({ format: one, last: a }, { format: other })).toBe(true)
      expect(canCollide({ format: one }, { format: other, last: b })).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['{n}', '1{n}', true],
  ['{n}', 'R-{n}', false],
  ['R-{n}', 'r-{n:5}x', false],
  ['R1{n}', 'r{n}', true],
  ['{year}-{n}', '{n}', false],
  ['{year}{n:4}', '{n}', true],
  ['{n}A', '{n}B', false],
])('%s and %s: can collide %p', (one, other, can) => {
  expect(canCollide({ format: one }, { format: other })).toBe(can)
  expect(canCollide({ format: other }, { format: one })).toBe(can)
})

test('a former format collides up to its last number only', () => {
  expect(canCollide({ format: '{year}{n:4}' }, { format: '{n}', last: 9_999_999 })).toBe(false)
  expect(canCollide({ format: '{year}{n:4}' }, { format: '{n}', last: 10_000_000 })).toBe(true)
})

const merchant = { timezone: 'Europe/Berlin' }
const newMerchant: Numbers = { orders: 0, invoices: 0, deliveryNotes: 0, creditAdvices: 0, series: firstSeries }
const inSummer = { now: '2026-07-01 12:00:00', merchant }
const kinds = ['order', 'invoice', 'credit_advice', 'delivery_note'] as const
const counters = ['orders', 'invoices', 'creditAdvices', 'deliveryNotes'] as const

test('the year and the month begin when they do for the merchant', () => {
  const numbers: Numbers = { ...newMerchant, series: { invoices: { format: '{year}-{n}', period: '', offset: 0 } } }
  const take = (before: Numbers, now: string) => takeNumber(before, 'invoices', { now, merchant })
  const first = take(numbers, '2026-12-31 22:59:59')
  const second = take(first.numbers, '2026-12-31 23:00:00')
  const third = take(second.numbers, '2026-12-31 22:59:59')
  expect([first, second, third].map(({ id, number }) => [id, number])).toEqual([
    [1, '2026-1'],
    [2, '2027-1'],
    // The clock of another instance is slow.
    [3, '2027-2'],
  ])
})

test('whatever a merchant changes, no number is given twice', () => {
  const change = fc.record(
    { number_format: format, next_number: fc.integer({ min: 1, max: 150 }) },
    { requiredKeys: [] },
  )
  const step = fc.oneof(
    fc.record({ take: fc.constantFrom(...counters), times: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ kind: fc.constantFrom(...kinds), change }),
    fc.record({ month: fc.integer({ min: 0, max: 5 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const given = new Set<string>()
      let [numbers, former, month]: [Numbers, readonly Former[], number] = [newMerchant, [], 10]
      for (const one of steps) {
        const moment = {
          now: new Date(Date.UTC(2026, month, 15)).toISOString().slice(0, 19).replace('T', ' '),
          merchant,
        }
        if ('month' in one) month += one.month
        else if ('take' in one) {
          for (let n = 0; n < one.times; n++) {
            const taken = takeNumber(numbers, one.take, moment)
            expect([taken.number, given.has(taken.number.toLowerCase())]).toEqual([taken.number, false])
            expect(taken.id).toBe(numbers[one.take] + 1)
            given.add(taken.number.toLowerCase())
            numbers = taken.numbers
          }
        } else {
          try {
            const state = withNumberings({ numbers, former }, { [one.kind]: one.change }, moment)
            ;[numbers, former] = [state.numbers, state.former]
          } catch (error) {
            expect(error).toMatchObject({ word: 'number_taken', status: 409 })
          }
        }
      }
    }),
    { numRuns: 500 },
  )
})

describe('a change', () => {
  const changed = (state: { numbers: Numbers; former: readonly Former[] }, change: object) =>
    withNumberings(state, change, inSummer)
  const start = { numbers: { ...newMerchant, invoices: 120 }, former: [] }
  const nextOf = ({ numbers }: { numbers: Numbers }) => numberingsOf(numbers, inSummer).invoice

  test('of the format counts on, and from 1 where a period begins', () => {
    expect(nextOf(start)).toEqual({ number_format: 'R-{n}', next_number: 121 })
    expect(nextOf(changed(start, { invoice: { number_format: 'RE-{n:5}' } })).next_number).toBe(121)
    expect(nextOf(changed(start, { invoice: { number_format: 'R-{year}-{n}' } })).next_number).toBe(1)
    const moved = changed(start, { invoice: { number_format: 'R-{year}-{n}', next_number: 500 } })
    expect(takeNumber(moved.numbers, 'invoices', inSummer)).toMatchObject({ id: 121, number: 'R-2026-500' })
  })

  test('back to an earlier format counts on after its last number', () => {
    const away = changed(start, { invoice: { number_format: 'RE-{n}', next_number: 7 } })
    expect(nextOf(changed(away, { invoice: { number_format: 'r-{n:4}' } })).next_number).toBe(121)
    expect(() => changed(away, { invoice: { number_format: 'R-{n}', next_number: 120 } })).toThrow(
      expect.objectContaining({
        word: 'number_taken',
        fields: [{ path: 'data.numbers.invoice.next_number', rule: 'not_taken', expected: '121 or more' }],
      }),
    )
  })

  test.each([
    [{ next_number: 120 }, 'next_number'],
    [{ number_format: 'K-{n}' }, 'number_format'],
    [{ number_format: '{n:5}' }, 'number_format'],
    [{ number_format: 'R-1{n}' }, 'number_format'],
  ])('to %j is refused', (invoice, field) => {
    expect(() => changed(start, { invoice })).toThrow(
      expect.objectContaining({
        word: 'number_taken',
        fields: [expect.objectContaining({ path: `data.numbers.invoice.${field}` })],
      }),
    )
  })

  test('of a format that has written nothing in this period remembers its earlier periods', () => {
    const series = { ...firstSeries, invoices: { format: 'A{year}{n:4}', period: '2025', offset: 100 } }
    const dated = { numbers: { ...start.numbers, series }, former: [] }
    const away = changed(dated, { invoice: { number_format: 'R-{n}' } })
    expect(() => changed(away, { invoice: { number_format: 'A2025{n}' } })).toThrow('number')
    expect(() => changed(dated, { invoice: { number_format: 'A2025{n}' } })).toThrow('number')
  })

  test('to what is there already changes nothing', () => {
    expect(changed(start, { invoice: { number_format: 'R-{n}' }, order: {} })).toEqual(start)
    expect(nextOf(changed(start, { invoice: { next_number: 121 } })).next_number).toBe(121)
  })

  test('that is repeated after documents were numbered changes nothing, and an earlier number stays refused', () => {
    for (const invoice of [{ next_number: 400 }, { number_format: 'RE-{year}-{n:5}', next_number: 31 }]) {
      const once = changed(start, { invoice })
      const { numbers } = takeNumber(once.numbers, 'invoices', inSummer)
      const later = { ...once, numbers }
      expect(changed(later, { invoice })).toEqual(later)
      const earlier = { invoice: { ...invoice, next_number: invoice.next_number - 1 } }
      expect(() => changed(later, earlier)).toThrow('number')
      expect(() => changed(changed(later, { invoice: { next_number: 900 } }), { invoice })).toThrow('number')
    }
  })

  test('of last year is no repetition of this year’s', () => {
    const invoice = { number_format: '{year}-{n}', next_number: 5 }
    const inAutumn = { ...inSummer, now: '2027-10-01 12:00:00' }
    const { numbers, former } = changed(start, { invoice })
    const first = takeNumber(numbers, 'invoices', inAutumn)
    const raised = withNumberings({ numbers: first.numbers, former }, { invoice }, inAutumn)
    const second = takeNumber(raised.numbers, 'invoices', inAutumn)
    expect([first.number, second.number]).toEqual(['2027-1', '2027-5'])
  })

  test('of a merchant from before formats raises its next number, though its kinds share numbers', () => {
    const { series: _, ...numbers } = start.numbers
    expect(nextOf(changed({ numbers, former: [] }, { invoice: { next_number: 400 } }))).toEqual({
      number_format: '{n}',
      next_number: 400,
    })
  })
})
