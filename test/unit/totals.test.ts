import fc from 'fast-check'
import {
  type Cart,
  type CartLine,
  cartTotals,
  checkClaim,
  sharesOf,
  sideOf,
} from '../../shared/orders/placing/totals.ts'
import {
  addSums,
  type Cents,
  formatMoney,
  type Side,
  type Sum,
  safeCents,
  splitTax,
} from '../../shared/values/money.ts'

const sum = (gross: Cents, net: Cents): Sum => ({ net, tax: gross - net, gross })

const line = (
  gross: Cents,
  taxrate = 19,
  more: { quantity?: number; kind?: 'goods' | 'package' | 'rebate' } = {},
): CartLine => ({
  kind: more.kind ?? 'goods',
  quantity: more.quantity ?? 1,
  taxrate,
  unit: splitTax(gross, taxrate, 'gross'),
})

const cart = (lines: CartLine[], more: Partial<Cart> = {}): Cart => ({
  lines,
  mode: 'gross',
  taxFree: false,
  cashback: 0,
  ...more,
})

const netLine = (net: Cents, taxrate = 19): CartLine => ({
  kind: 'goods',
  quantity: 1,
  taxrate,
  unit: splitTax(net, taxrate, 'net'),
})

describe('worked examples', () => {
  test('goods of 31.08 with a rebate of 5.89 make 25.19 = 21.17 + 4.02', () => {
    const rebate: CartLine = { kind: 'rebate', quantity: 1, taxrate: 19, unit: { net: -495, gross: -589 } }
    const priced = cartTotals(cart([line(3108), rebate]))
    expect(priced.total).toEqual(sum(2519, 2117))
    expect(priced.item).toEqual(sum(3108, 2612))
    expect(priced.rebate).toEqual({ net: -495, tax: -94, gross: -589 })
    expect(priced.taxrates).toEqual({ 19: sum(2519, 2117) })
    expect(priced.grossCashback).toBe(2519)
  })

  test('a cashback of 2 % on 25.19 leaves 24.69 to pay and changes no tax', () => {
    const priced = cartTotals(cart([line(2519)], { cashback: 2 }))
    expect(priced.grossCashback).toBe(2469)
    expect(priced.total).toEqual(sum(2519, 2117))
  })

  test.each([
    [0, 2519],
    [100, 0],
  ])('a cashback of %p %% leaves %p', (cashback, expected) => {
    expect(cartTotals(cart([line(2519)], { cashback })).grossCashback).toBe(expected)
  })
})

describe('tax rates', () => {
  test('a package at 19 % next to goods at 7 % keeps its own rate', () => {
    const priced = cartTotals(cart([line(5000, 7), line(590, 19, { kind: 'package' })]))
    expect(priced.taxrates).toEqual({ 7: sum(5000, 4673), 19: sum(590, 496) })
    expect(priced.package).toEqual(sum(590, 496))
    expect(priced.item).toEqual(sum(5000, 4673))
  })

  test('only rates in use are listed', () => {
    expect(Object.keys(cartTotals(cart([line(100, 7)])).taxrates)).toEqual(['7'])
    expect(cartTotals(cart([])).taxrates).toEqual({})
  })

  test('lines keep the rate of their order, before and after a change of the law', () => {
    const priced = cartTotals(cart([line(1160, 16), line(1190, 19)]))
    expect(priced.taxrates).toEqual({ 16: sum(1160, 1000), 19: sum(1190, 1000) })
  })

  test('tax is rounded once for a rate, not once for a line', () => {
    const lines = [line(99), line(99), line(99)]
    expect(cartTotals(cart(lines)).total).toEqual(sum(297, 250))
    expect(cartTotals(cart(lines)).lines.map(({ net }) => net)).toEqual([84, 83, 83])
  })

  test('in net mode three lines of 0.02 at 19 % carry one cent of tax, on the first', () => {
    const priced = cartTotals(cart([netLine(2), netLine(2), netLine(2)], { mode: 'net' }))
    expect(priced.total).toEqual({ net: 6, tax: 1, gross: 7 })
    expect(priced.lines.map(({ tax }) => tax)).toEqual([1, 0, 0])
  })

  test('a half cent of tax is rounded up in net mode', () => {
    expect(cartTotals(cart([netLine(50)], { mode: 'net' })).total).toEqual({ net: 50, tax: 10, gross: 60 })
  })

  test('a tax-free order pays the net prices at rate 0, whatever its mode', () => {
    const lines = [line(1190), line(1070, 7, { quantity: 2 })]
    const expected = { net: 3000, tax: 0, gross: 3000 }
    for (const mode of ['gross', 'net'] as const) {
      const priced = cartTotals(cart(lines, { mode, taxFree: true }))
      expect(priced.total).toEqual(expected)
      expect(priced.taxrates).toEqual({ 0: expected })
    }
  })
})

describe('small and large amounts', () => {
  test('one bottle at 0.01 costs 0.01 and has no tax', () => {
    expect(cartTotals(cart([line(1)])).total).toEqual({ net: 1, tax: 0, gross: 1 })
  })

  test('a free item is a line of 0.00 and receives no cent of others', () => {
    const priced = cartTotals(cart([line(0), line(99), line(99), line(99)]))
    expect(priced.lines[0]).toEqual({ net: 0, tax: 0, gross: 0 })
  })

  test('9,999 bottles at the highest price are still exact', () => {
    const priced = cartTotals(cart([line(99_999_999_999, 19, { quantity: 9_999 })]))
    expect(formatMoney(priced.total.gross)).toBe('9998999999900.01')
    expect(formatMoney(priced.total.net)).toBe('8402521008319.34')
  })

  test('an order beyond 2^53 cents is refused', () => {
    const lines = Array.from({ length: 50 }, () => line(99_999_999_999, 19, { quantity: 9_999 }))
    expect(() => cartTotals(cart(lines))).toThrow(RangeError)
  })

  test('a rebate of all goods leaves 0.00, without a sign', () => {
    const priced = cartTotals(cart([line(3108), line(-3108, 19, { kind: 'rebate' })]))
    expect(priced.total).toEqual({ net: 0, tax: 0, gross: 0 })
    expect(Object.values(priced.total).map(formatMoney)).toEqual(['0.00', '0.00', '0.00'])
  })
})

describe('properties of any cart', () => {
  const rate = fc.constantFrom(0, 7, 16, 19)
  const quantity = fc.integer({ min: 1, max: 9_999 })
  const price = fc.integer({ min: 0, max: 1_000_000 })
  const charge: fc.Arbitrary<CartLine> = fc.record({
    kind: fc.constantFrom('goods', 'package'),
    quantity,
    taxrate: rate,
    unit: fc.record({ net: price, gross: price }),
  })
  const share = fc.record({
    taxrate: rate,
    unit: fc
      .record({ net: price, gross: price })
      .map(({ net, gross }) => ({ net: safeCents(-net), gross: safeCents(-gross) })),
  })
  const rebate: fc.Arbitrary<CartLine> = fc.record({
    kind: fc.constant('rebate'),
    quantity,
    shares: fc.uniqueArray(share, { minLength: 1, maxLength: 4, selector: ({ taxrate }) => taxrate }),
  })
  const anyCart: fc.Arbitrary<Cart> = fc.record({
    lines: fc.array(fc.oneof({ arbitrary: charge, weight: 4 }, rebate), { maxLength: 50 }),
    mode: fc.constantFrom<Side>('gross', 'net'),
    taxFree: fc.boolean(),
    cashback: fc.integer({ min: 0, max: 100 }),
  })

  test('lines, tax rates, and goods + package + rebates all add up to the total, in every column', () => {
    fc.assert(
      fc.property(anyCart, any => {
        const priced = cartTotals(any)
        expect(addSums(priced.lines)).toEqual(priced.total)
        expect(addSums(Object.values(priced.taxrates))).toEqual(priced.total)
        expect(addSums([priced.item, priced.package, priced.rebate])).toEqual(priced.total)
      }),
    )
  })

  test('net and tax make gross everywhere, and everything is a whole number of cents', () => {
    fc.assert(
      fc.property(anyCart, any => {
        const { lines, taxrates, total, item, package: shipping, rebate: off, grossCashback } = cartTotals(any)
        for (const { net, tax, gross } of [...lines, ...Object.values(taxrates), total, item, shipping, off]) {
          expect(net + tax).toBe(gross)
          for (const amount of [net, tax, gross]) expect(amount).toBe(safeCents(amount))
        }
        expect(grossCashback).toBe(safeCents(grossCashback))
      }),
    )
  })

  test('the tax of every rate is rounded once', () => {
    fc.assert(
      fc.property(anyCart, any => {
        for (const [taxrate, group] of Object.entries(cartTotals(any).taxrates))
          expect(group).toEqual(splitTax(group[sideOf(any)], Number(taxrate), sideOf(any)))
      }),
    )
  })

  test('a line is its unit price times its quantity, within a cent of its own rounding for each rate', () => {
    fc.assert(
      fc.property(anyCart, any => {
        const side = sideOf(any)
        cartTotals(any).lines.forEach((priced, index) => {
          const own = any.lines[index] as CartLine
          const parts = sharesOf(own).map(({ unit, taxrate }) =>
            splitTax(safeCents(unit[side] * own.quantity), any.taxFree ? 0 : taxrate, side),
          )
          expect(priced[side]).toBe(addSums(parts)[side])
          expect(Math.abs(priced.tax - addSums(parts).tax)).toBeLessThanOrEqual(parts.length)
        })
      }),
    )
  })

  test('the other column of a unit price does not change the totals', () => {
    fc.assert(
      fc.property(anyCart, any => {
        const other = sideOf(any) === 'gross' ? 'net' : 'gross'
        const lines = any.lines.map(own =>
          'shares' in own ? own : { ...own, unit: { ...own.unit, [other]: 123_456 } },
        )
        expect(cartTotals({ ...any, lines })).toEqual(cartTotals(any))
      }),
    )
  })

  test('equal items in one line cost what they cost in two', () => {
    fc.assert(
      fc.property(anyCart, charge, (any, item) => {
        const apart = cartTotals({ ...any, lines: [...any.lines, item, item] })
        const merged = cartTotals({ ...any, lines: [...any.lines, { ...item, quantity: 2 * item.quantity }] })
        expect(merged.total).toEqual(apart.total)
        expect(merged.taxrates).toEqual(apart.taxrates)
      }),
    )
  })
})

describe('the caller’s totals', () => {
  const ours = sum(2519, 2117)

  test('the right totals, some of them, or none are accepted', () => {
    for (const claimed of [ours, { gross: 2519 }, { tax: 402 }, {}])
      expect(checkClaim(claimed, ours, 'gross', 2, 3)).toEqual([])
  })

  test('gross must match to the cent, and the expected amount is returned', () => {
    expect(checkClaim({ gross: 2520 }, ours, 'gross', 2, 3)).toEqual([{ field: 'gross', expected: 2519 }])
    expect(checkClaim({ gross: 2518 }, ours, 'gross', 50, 9_999)).toEqual([{ field: 'gross', expected: 2519 }])
  })

  test('in net mode net must match to the cent, gross within rounding', () => {
    expect(checkClaim({ net: 2118, gross: 2520 }, ours, 'net', 2, 3)).toEqual([{ field: 'net', expected: 2117 }])
  })

  test.each([
    [1, 1, 2],
    [1, 2, 2],
    [2, 3, 4],
    [12, 12, 18],
  ])('with %p lines and %p units the other columns may be off by %p cents and no more', (lines, units, slack) => {
    expect(checkClaim({ net: 2117 - slack, tax: 402 + slack }, ours, 'gross', lines, units)).toEqual([])
    expect(checkClaim({ net: 2117 - slack - 1, tax: 402 + slack + 1 }, ours, 'gross', lines, units)).toEqual([
      { field: 'net', expected: 2117 },
      { field: 'tax', expected: 402 },
    ])
  })

  test('totals added up from units rounded one by one are always accepted', () => {
    const item = fc.record({
      gross: fc.integer({ min: 0, max: 100_000 }),
      quantity: fc.integer({ min: 1, max: 100 }),
      taxrate: fc.constantFrom(7, 19),
    })
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 50 }), items => {
        const lines = items.map(({ gross, quantity, taxrate }) => line(gross, taxrate, { quantity }))
        const claimed = addSums(
          items.flatMap(({ gross, quantity, taxrate }) =>
            Array.from({ length: quantity }, () => splitTax(gross, taxrate, 'gross')),
          ),
        )
        const units = items.reduce((count, { quantity }) => count + quantity, 0)
        expect(checkClaim(claimed, cartTotals(cart(lines)).total, 'gross', items.length, units)).toEqual([])
      }),
    )
  })
})
