import fc from 'fast-check'
import * as v from 'valibot'
import { brokenRule } from '../../shared/contract/errors.ts'
import {
  Flag,
  Id,
  list,
  Money,
  MoneyText,
  must,
  paging,
  scalar,
  Whole,
  wholeBetween,
} from '../../shared/contract/schema/wire.ts'
import { named, noWholeNumbers, read, refused, words } from '../support/wire-look-alikes.ts'

const largest = Number.MAX_SAFE_INTEGER

describe('whole numbers', () => {
  test.each([
    [0, 0],
    ['0', 0],
    [12, 12],
    ['12', 12],
    [largest, largest],
    ['9007199254740991', largest],
  ])('%p is one', (value, expected) => {
    expect(read(Whole, value)).toBe(expected)
  })

  test('minus zero becomes zero', () => {
    expect(Object.is(read(Whole, -0), 0)).toBe(true)
  })

  test.each(named(noWholeNumbers))('%s is not one', (_, value) => {
    expect(read(Whole, value)).toBe(refused)
  })

  test('a number and its usual digits mean the same', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), n => {
        expect(read(Whole, n)).toBe(n)
        expect(read(Whole, String(n))).toBe(n)
      }),
    )
  })

  test('a text is valid only in the usual form of its number', () => {
    const almost = fc.stringMatching(/^[-+ 0-9.eExX_]{0,18}$/)
    fc.assert(
      fc.property(fc.oneof(almost, fc.string({ unit: 'binary' })), written => {
        const value = read(Whole, written)
        expect(value === refused || String(value) === written).toBe(true)
      }),
    )
  })

  test('a number is valid only if it is whole, not negative, and exact', () => {
    fc.assert(
      fc.property(fc.double(), n => {
        expect(read(Whole, n) !== refused).toBe(Number.isSafeInteger(n) && n >= 0)
      }),
    )
  })
})

describe('ids', () => {
  test.each([
    [1, 1],
    ['1', 1],
    ['9007199254740991', largest],
  ])('%p is one', (value, expected) => {
    expect(read(Id, value)).toBe(expected)
  })

  test.each(named([0, '0', -0, ...noWholeNumbers]))('%s is not one', (_, value) => {
    expect(read(Id, value)).toBe(refused)
  })
})

describe('numbers between bounds', () => {
  const quantity = wholeBetween(1, 9999)

  test.each([1, '1', 9999, '9999'])('%p is on a bound and valid', value => {
    expect(read(quantity, value)).toBe(Number(value))
  })

  test.each(named([0, '0', 10000, '10000', largest, ...noWholeNumbers]))('%s is refused', (_, value) => {
    expect(read(quantity, value)).toBe(refused)
  })
})

describe('flags', () => {
  test.each([
    [0, 0],
    ['0', 0],
    [false, 0],
    [1, 1],
    ['1', 1],
    [true, 1],
  ])('%p is a flag', (value, expected) => {
    expect(read(Flag, value)).toBe(expected)
  })

  test('minus zero becomes zero', () => {
    expect(Object.is(read(Flag, -0), 0)).toBe(true)
  })

  test.each(
    named([
      ...words('2 -1 00 01 1.0 １ true false TRUE yes no on off null'),
      ...[
        '',
        ' ',
        ' 1',
        '1\n',
        2,
        -1,
        0.5,
        1.5,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        null,
        undefined,
        [],
        [1],
        ['1'],
        {},
        1n,
      ],
    ]),
  )('%s is not one', (_, value) => {
    expect(read(Flag, value)).toBe(refused)
  })
})

describe('money', () => {
  test.each([
    ['12.50', 1250],
    ['-4.95', -495],
    ['0.00', 0],
    ['-0.00', 0],
    [12.5, 1250],
    [12, 1200],
  ])('%p is read into cents', (value, expected) => {
    expect(Object.is(read(Money, value), expected)).toBe(true)
  })

  test.each(
    named([
      ...words(
        '12 12.5 12.500 12,50 1.000,00 .50 12. +12.50 1e3 1e2.00 0x10 １２.５０ ١٢.٥٠ 12·50 --1.00 1000000000.00 NaN',
      ),
      ...['', ' 12.50', '12.50\n', '12.50 €', '__proto__', null, undefined, true, [], ['12.50'], {}, 1250n],
      ...[0.001, 12.345, 0.1 + 0.2, 1e9, 2 ** 53, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY],
    ]),
  )('%s is not one', (_, value) => {
    expect(read(Money, value)).toBe(refused)
  })

  test('an amount stored as text has two decimals and no minus before zero', () => {
    expect(read(MoneyText, 12.5)).toBe('12.50')
    expect(read(MoneyText, '-0.00')).toBe('0.00')
    expect(read(MoneyText, '-5.89')).toBe('-5.89')
  })
})

describe('paging', () => {
  const schema = v.object(paging)

  test.each([
    [{}, { page: 1, pageSize: 16 }],
    [
      { page: null, pageSize: null },
      { page: 1, pageSize: 16 },
    ],
    [
      { page: '2', pageSize: '100' },
      { page: 2, pageSize: 100 },
    ],
    [
      { page: largest, pageSize: 101 },
      { page: largest, pageSize: 100 },
    ],
    [{ pageSize: '9007199254740991' }, { page: 1, pageSize: 100 }],
  ])('%j means %j', (value, expected) => {
    expect(read(schema, value)).toEqual(expected)
  })

  test.each(
    named([0, '0', -0, ...noWholeNumbers.filter(value => value !== undefined && value !== null)]),
  )('%s is not valid as a page or a page size', (_, value) => {
    expect(read(schema, { page: value })).toBe(refused)
    expect(read(schema, { pageSize: value })).toBe(refused)
  })

  test('a page size from 1 to 100 is unchanged, a larger one is 100', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: largest }), pageSize => {
        expect(read(schema, { pageSize })).toEqual({ page: 1, pageSize: Math.min(pageSize, 100) })
      }),
    )
  })
})

describe('lists', () => {
  test('a list that is too long is refused before its elements are checked', () => {
    let seen = 0
    const counted = v.pipe(
      v.unknown(),
      v.check(() => ++seen > 0),
    )
    expect(read(list(counted, 3), [1, 2, 3, 4])).toBe(refused)
    expect(seen).toBe(0)
    expect(read(list(counted, 3), [1, 2, 3])).toEqual([1, 2, 3])
    expect(seen).toBe(3)
  })

  test('every invalid element is reported', () => {
    const result = v.safeParse(list(Id, 5), [1, 0, '2', 'x'])
    expect(result.issues?.map(issue => v.getDotPath(issue))).toEqual(['1', '3'])
  })

  test.each(
    named([null, undefined, '', '1', 'a,b', 1, {}, { length: 1 }, { 0: 1 }]),
  )('%s is not a list', (_, value) => {
    expect(read(list(Id, 5), value)).toBe(refused)
  })
})

describe('rules', () => {
  test('a scalar refuses only by undefined', () => {
    for (const value of [null, 0, '', false, Number.NaN])
      expect(
        read(
          scalar('odd', 'odd', () => value, { input: {} }),
          'x',
        ),
      ).toBe(value)
    expect(
      read(
        scalar('odd', 'odd', () => undefined, { input: {} }),
        'x',
      ),
    ).toBe(refused)
  })

  test('a refusal names the rule and what is expected, never the value', () => {
    for (const schema of [
      scalar('odd', 'an odd number', () => undefined, { input: {} }),
      v.pipe(
        v.unknown(),
        must('odd', 'an odd number', () => false),
      ),
    ]) {
      const { issues = [] } = v.safeParse(schema, 'CANARY')
      expect(issues.map(brokenRule)).toEqual([{ rule: 'odd', expected: 'an odd number' }])
      expect(issues.map(({ message }) => message).join()).not.toContain('CANARY')
    }
  })
})
