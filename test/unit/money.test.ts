import fc from 'fast-check'
import {
  addSums,
  apportion,
  completePrice,
  divideRounded,
  formatMoney,
  formatSum,
  multiply,
  parseMoney,
  parseTotal,
  percentOf,
  safeCents,
  splitTax,
} from '../../shared/values/money.ts'

const largest = 99_999_999_999
const cents = fc.integer({ min: -largest, max: largest })
const rate = fc.constantFrom(0, 5, 7, 16, 19, 25)

describe('reading', () => {
  test.each([
    ['0.00', 0],
    ['-0.00', 0],
    ['0.01', 1],
    ['-0.05', -5],
    ['25.19', 2519],
    ['007.00', 700],
    ['999999999.99', largest],
    [25.19, 2519],
    [0.1, 10],
    [1.005 * 0, 0],
    [-0, 0],
    [-5.89, -589],
    [12, 1200],
    [999999999.99, largest],
  ])('%p is an amount', (value, expected) => {
    expect(parseMoney(value)).toBe(expected)
  })

  test.each([
    '',
    '1',
    '1.5',
    '1,50',
    '+1.50',
    '.50',
    ' 1.50',
    '1.50\n',
    '1.500',
    '1e2',
    '0x1.00',
    '1.000,00',
    '1000000000.00',
    '١.٥٠',
    59.400000000000006,
    0.001,
    0.1 + 0.2,
    1e9,
    1e21,
    1e-7,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    150n,
    ['1.50'],
    {},
  ])('%p is no amount', value => {
    expect(parseMoney(value)).toBeUndefined()
  })

  test.each([
    ['1000000000.00', 100_000_000_000],
    ['9998999999900.01', 999_899_999_990_001],
    ['-1234567890.12', -123_456_789_012],
    [1234567890.12, 123_456_789_012],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
    ['12.50', 1250],
    ['-0.00', 0],
  ])('%p is a total', (value, expected) => {
    expect(Object.is(parseTotal(value), expected)).toBe(true)
    expect(parseTotal(formatMoney(expected))).toBe(expected)
  })

  test.each([
    '90071992547409.92',
    '99999999999999.99',
    '100000000000000.00',
    '-90071992547409.92',
    '1000000000',
    '1e12',
    '',
    1e21,
    null,
  ])('%p is no total', value => {
    expect(parseTotal(value)).toBeUndefined()
  })

  test('every amount survives the round trip through its wire form and its JSON number', () => {
    fc.assert(
      fc.property(cents, amount => {
        expect(parseMoney(formatMoney(amount))).toBe(amount)
        expect(parseMoney(JSON.parse(formatMoney(amount)))).toBe(amount)
      }),
    )
  })

  test('a number that is not the nearest to a whole cent is refused', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 9 }), (amount, thousandth) => {
        expect(parseMoney(Number(`${formatMoney(amount)}${thousandth}`))).toBeUndefined()
      }),
    )
  })
})

describe('writing', () => {
  test.each([
    [0, '0.00'],
    [-0, '0.00'],
    [1, '0.01'],
    [-1, '-0.01'],
    [-99, '-0.99'],
    [100, '1.00'],
    [-123_456, '-1234.56'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('%p cents are %p', (amount, expected) => {
    expect(formatMoney(amount)).toBe(expected)
  })

  test('a sum is formatted column by column', () => {
    expect(formatSum({ net: -495, tax: -94, gross: -589 })).toEqual({ net: '-4.95', tax: '-0.94', gross: '-5.89' })
  })

  test.each([0.5, 2 ** 53, Number.NaN, Number.NEGATIVE_INFINITY])('%p cents are refused', amount => {
    expect(() => formatMoney(amount)).toThrow(RangeError)
  })
})

describe('arithmetic', () => {
  test.each([
    [1, 2, 1],
    [-1, 2, -1],
    [1, 3, 0],
    [2, 3, 1],
    [-2, 3, -1],
    [950, 100, 10],
    [-950, 100, -10],
    [949, 100, 9],
    [0, 7, 0],
  ])('%p / %p is %p, half away from zero', (n, d, expected) => {
    expect(divideRounded(n, d)).toBe(expected)
  })

  test('rounding is symmetric and off by at most a half', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 1000 }), (n, d) => {
        const quotient = divideRounded(n, d)
        const off = 2n * (BigInt(n) - BigInt(quotient) * BigInt(d))
        expect(-BigInt(d) <= off && off <= BigInt(d)).toBe(true)
        expect(divideRounded(-n, d)).toBe(safeCents(-quotient))
      }),
    )
  })

  test('a divisor of zero or below is refused', () => {
    expect(() => divideRounded(1, 0)).toThrow(RangeError)
    expect(() => divideRounded(1, -2)).toThrow(RangeError)
  })

  test('a result beyond 2^53 is refused, not rounded', () => {
    const most = Number.MAX_SAFE_INTEGER
    expect(() => multiply(largest, 100_000)).toThrow(RangeError)
    expect(() => addSums([splitTax(most, 0, 'net'), splitTax(1, 0, 'net')])).toThrow(RangeError)
    expect(() => splitTax(most, 19, 'net')).toThrow(RangeError)
    expect(() => divideRounded(2n ** 53n, 1)).toThrow(RangeError)
    expect(splitTax(most, 19, 'gross').gross).toBe(most)
  })

  test('a fraction of a cent or of a percent is refused', () => {
    expect(() => splitTax(0.5, 19, 'gross')).toThrow(RangeError)
    expect(() => splitTax(100, 10.7, 'net')).toThrow(RangeError)
    expect(() => percentOf(100, 2.5)).toThrow(RangeError)
  })

  test.each([
    [2519, 2, 50],
    [2519, 0, 0],
    [2519, 100, 2519],
    [50, 19, 10],
    [-50, 19, -10],
    [-1, 1, 0],
  ])('of %p cents %p percent are %p', (amount, percent, expected) => {
    expect(percentOf(amount, percent)).toBe(expected)
  })
})

describe('tax', () => {
  test.each([
    [2519, 19, 'gross', { net: 2117, tax: 402, gross: 2519 }],
    [-589, 19, 'gross', { net: -495, tax: -94, gross: -589 }],
    [3108, 19, 'gross', { net: 2612, tax: 496, gross: 3108 }],
    [2612, 19, 'net', { net: 2612, tax: 496, gross: 3108 }],
    [1, 19, 'gross', { net: 1, tax: 0, gross: 1 }],
    [50, 19, 'net', { net: 50, tax: 10, gross: 60 }],
    [-50, 19, 'net', { net: -50, tax: -10, gross: -60 }],
    [0, 19, 'gross', { net: 0, tax: 0, gross: 0 }],
    [500, 0, 'gross', { net: 500, tax: 0, gross: 500 }],
  ] as const)('%p cents at %p percent from the %s side', (amount, percent, side, expected) => {
    expect(splitTax(amount, percent, side)).toEqual(expected)
  })

  test('a net price at 19 % hits a half cent once in every hundred, a gross price never', () => {
    const range = Array.from({ length: 1900 }, (_, amount) => BigInt(amount))
    expect(range.filter(net => (2n * net * 19n) % 200n === 100n)).toHaveLength(19)
    expect(range.filter(gross => (2n * gross * 100n) % 238n === 119n)).toHaveLength(0)
  })

  test('net and tax add up to gross, the given side is kept, and a negative amount mirrors the positive', () => {
    fc.assert(
      fc.property(cents, rate, fc.constantFrom('gross', 'net'), (amount, percent, side) => {
        const sum = splitTax(amount, percent, side)
        expect(sum.net + sum.tax).toBe(sum.gross)
        expect(sum[side]).toBe(amount)
        expect(splitTax(safeCents(-amount), percent, side).tax).toBe(safeCents(-sum.tax))
      }),
    )
  })
})

describe('the price of a record', () => {
  test.each([
    [
      { gross: 1190, taxrate: 19 },
      { net: 1000, tax: 190, gross: 1190 },
    ],
    [
      { net: 1000, taxrate: 19 },
      { net: 1000, tax: 190, gross: 1190 },
    ],
    [
      { gross: 1190, tax: 190, taxrate: 19 },
      { net: 1000, tax: 190, gross: 1190 },
    ],
    [
      { net: 1000, tax: 190, taxrate: 19 },
      { net: 1000, tax: 190, gross: 1190 },
    ],
    [
      { net: 1000, gross: 1190, taxrate: 19 },
      { net: 1000, tax: 190, gross: 1190 },
    ],
    [
      { net: 0, tax: 0, gross: 0, taxrate: 19 },
      { net: 0, tax: 0, gross: 0 },
    ],
    [
      { net: 839, tax: 160, gross: 999, taxrate: 19 },
      { net: 839, tax: 160, gross: 999 },
    ],
  ])('%p is complete or completed', (given, expected) => {
    expect(completePrice(given)).toEqual(expected)
  })

  test.each([
    [{ taxrate: 19 }],
    [{ tax: 190, taxrate: 19 }],
    [{ net: 1000, tax: 190, gross: 1191, taxrate: 19 }],
    [{ net: 1000, gross: 1190, taxrate: 7 }],
    [{ net: 1001, tax: 189, gross: 1190, taxrate: 19 }],
    [{ gross: 1190, tax: 0, taxrate: 19 }],
    [{ net: 1000, tax: 1, taxrate: 19 }],
    [{ net: 1000, tax: 191, gross: 1190, taxrate: 19 }],
  ])('%p is inconsistent', given => {
    expect(completePrice(given)).toBe('inconsistent')
  })

  test('a price rounded from either side is consistent, whichever columns are left out', () => {
    fc.assert(
      fc.property(cents, rate, fc.constantFrom('gross', 'net'), (amount, taxrate, side) => {
        const { net, tax, gross } = splitTax(amount, taxrate, side)
        for (const given of [
          { net, tax, gross },
          { net, tax },
          { net, gross },
          { tax, gross },
        ])
          expect(completePrice({ ...given, taxrate })).toEqual({ net, tax, gross })
      }),
    )
  })
})

describe('the largest remainder method', () => {
  test('gives the remaining cent to the largest remainder, then to the earlier share', () => {
    expect(apportion([100n, 170n, 130n], 100n)).toEqual([1, 2, 1])
    expect(apportion([50n, 50n, 50n, 50n], 100n)).toEqual([1, 1, 0, 0])
    expect(apportion([], 3n)).toEqual([])
  })

  test('makes shares that add up to their rounded sum, each its exact value rounded up or down', () => {
    const numerators = fc.array(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), { maxLength: 20 })
    fc.assert(
      fc.property(numerators, fc.bigInt({ min: 1n, max: 10n ** 6n }), (values, denominator) => {
        const shares = apportion(values, denominator)
        const whole = values.reduce((sum, value) => sum + value, 0n)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(divideRounded(whole, denominator))
        shares.forEach((share, index) => {
          const off = BigInt(share) * denominator - (values[index] ?? 0n)
          expect(-denominator < off && off < denominator).toBe(true)
        })
      }),
    )
  })
})
