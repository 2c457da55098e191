import fc from 'fast-check'
import { assignRebate, percentRebate, type RebateRequest, withRebates } from '../../shared/orders/placing/rebates.ts'
import {
  type Cart,
  type CartLine,
  cartTotals,
  type Share,
  sideOf,
  type Taxrates,
} from '../../shared/orders/placing/totals.ts'
import { addSums, type Cents, type Side, type Sum, safeCents, splitTax } from '../../shared/values/money.ts'

const claim = (gross: Cents, net: Cents, quantity = 1) => ({ net, tax: safeCents(gross - net), gross, quantity })

const at = (taxrate: number, amount: Cents, side: Side = 'gross'): Share => ({
  taxrate,
  unit: splitTax(amount, taxrate, side),
})

const goods = (taxrate: number, gross: Cents): CartLine => ({ kind: 'goods', quantity: 1, ...at(taxrate, gross) })

const shipping = (taxrate: number, gross: Cents): CartLine => ({ kind: 'package', quantity: 1, ...at(taxrate, gross) })

const cart = (lines: CartLine[], more: Partial<Cart> = {}): Cart => ({
  lines,
  mode: 'gross',
  taxFree: false,
  cashback: 0,
  ...more,
})

const priced = (order: Cart, rebates: RebateRequest[]) => {
  const whole = withRebates(order, rebates)
  if ('refused' in whole) throw new Error(whole.refused)
  return cartTotals(whole)
}

const one: Taxrates = { 19: splitTax(3108, 19, 'gross') }
const two: Taxrates = { 19: splitTax(10_000, 19, 'gross'), 7: splitTax(5_000, 7, 'gross') }

const sharesOfRebate = (amounts: Sum & { quantity: number }, groups: Taxrates, side: Side = 'gross') => {
  const line = assignRebate(amounts, groups, side)
  return line === 'rebate_invalid' ? line : line.shares.map(({ taxrate, unit }) => [taxrate, unit.gross, unit.net])
}

/** A rebate spread by hand: largest remainder, equal remainders favour the higher rate. */
const proRataOf = (off: Cents, groups: Taxrates) => {
  const rates = [19, 7]
  const whole = rates.reduce((sum, rate) => sum + (groups[rate]?.gross ?? 0), 0)
  const raw = rates.map(rate => ((groups[rate]?.gross ?? 0) * off) / whole)
  const floors = raw.map(Math.floor)
  const missing = off - floors.reduce((sum, part) => sum + part, 0)
  const byNeed = raw.map((part, n) => [part - Math.floor(part), n] as const).sort((a, b) => b[0] - a[0] || a[1] - b[1])
  for (const [, n] of byNeed.slice(0, missing)) floors[n] = (floors[n] ?? 0) + 1
  const units = rates.map((rate, n) => splitTax(-(floors[n] ?? 0), rate, 'gross'))
  return { sum: addSums(units), shares: rates.map((rate, n) => [rate, units[n]?.gross, units[n]?.net]) }
}

describe('worked examples', () => {
  test('10.00 off 100.00 at 19 % and 50.00 at 7 % is 6.67 and 3.33, and stays one rebate', () => {
    expect(sharesOfRebate(claim(-1000, -872), two)).toEqual([
      [19, -667, -561],
      [7, -333, -311],
    ])
    const order = priced(cart([goods(19, 10_000), goods(7, 5_000)]), [claim(-1000, -872)])
    expect(order.taxrates).toEqual({ 19: splitTax(9_333, 19, 'gross'), 7: splitTax(4_667, 7, 'gross') })
    expect(order.lines).toHaveLength(3)
    expect(order.lines[2]).toEqual(order.rebate)
    expect(order.rebate.gross).toBe(-1000)
  })
})

describe('a rebate that equals its split over several rates', () => {
  test('is split, even if one rate matches it within a cent', () => {
    // 0.40 over 100.00 at 19 % and 50.00 at 7 %: 0.27 and 0.13, net 0.23 and 0.12. At 19 % alone net would be 0.34.
    expect(sharesOfRebate(claim(-40, -35), two)).toEqual([
      [19, -27, -23],
      [7, -13, -12],
    ])
  })

  test('keeps a rate that reproduces it exactly', () => {
    expect(sharesOfRebate(claim(-10, -8), two)).toEqual([[19, -10, -8]])
  })

  test('is split again, for any groups and amounts', () => {
    const amount = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 5_000 }), (high, low, off) => {
        const groups: Taxrates = { 19: splitTax(high + off, 19, 'gross'), 7: splitTax(low + off, 7, 'gross') }
        const percent = proRataOf(off, groups)
        const shares = sharesOfRebate({ ...percent.sum, quantity: 1 }, groups)
        const exact = [19, 7].filter(rate => splitTax(-off, rate, 'gross').net === percent.sum.net)
        if (exact.length === 0) expect(shares).toEqual(percent.shares)
        else expect(shares).toEqual([[exact[0], -off, percent.sum.net]])
      }),
    )
  })
})

describe('the rate of a rebate', () => {
  test('is the one that reproduces its amounts', () => {
    expect(sharesOfRebate(claim(-589, -495), two)).toEqual([[19, -589, -495]])
    expect(sharesOfRebate(claim(-1000, -935), two)).toEqual([[7, -1000, -935]])
  })

  test('may differ by one cent, not by two', () => {
    expect(sharesOfRebate(claim(-589, -494), one)).toEqual([[19, -589, -494]])
    expect(sharesOfRebate(claim(-589, -496), one)).toEqual([[19, -589, -496]])
    expect(sharesOfRebate(claim(-589, -493), one)).toBe('rebate_invalid')
    expect(sharesOfRebate(claim(-589, -497), one)).toBe('rebate_invalid')
  })

  test('is the nearest of those within a cent', () => {
    expect(sharesOfRebate(claim(-10, -9), two)).toEqual([[7, -10, -9]])
  })

  test('is the higher of two that are equally near', () => {
    expect(sharesOfRebate(claim(-1, -1), two)).toEqual([[19, -1, -1]])
    expect(sharesOfRebate(claim(0, 0), two)).toEqual([[19, 0, 0]])
  })

  test('is one of the order’s', () => {
    expect(sharesOfRebate(claim(-1000, -935), one)).toBe('rebate_invalid')
    expect(sharesOfRebate(claim(-1000, -1000), two)).toBe('rebate_invalid')
    expect(sharesOfRebate(claim(-589, -495), {})).toBe('rebate_invalid')
    expect(sharesOfRebate(claim(0, 0), {})).toBe('rebate_invalid')
  })

  test('may be that of the package only', () => {
    const order = priced(cart([goods(7, 5_000), shipping(19, 590)]), [claim(-590, -496)])
    expect(order.taxrates).toEqual({ 7: splitTax(5_000, 7, 'gross'), 19: { net: 0, tax: 0, gross: 0 } })
    expect(order.package).toEqual({ net: 496, tax: 94, gross: 590 })
  })

  test('follows from the net amount in net mode', () => {
    expect(sharesOfRebate(claim(-595, -500), one, 'net')).toEqual([[19, -595, -500]])
    expect(sharesOfRebate(claim(-597, -500), one, 'net')).toBe('rebate_invalid')
  })

  test('is 0 in a tax-free order, where a rebate has no tax', () => {
    const order = cart([goods(19, 1190)], { taxFree: true })
    expect(priced(order, [claim(-100, -100)]).total).toEqual({ net: 900, tax: 0, gross: 900 })
    expect(withRebates(order, [claim(-119, -100)])).toEqual({ refused: 'rebate_invalid', rebate: 0 })
  })
})

describe('a rebate over several rates', () => {
  test('is refused if it differs by a cent from the pro-rata split', () => {
    expect(sharesOfRebate(claim(-1000, -871), two)).toBe('rebate_invalid')
    expect(sharesOfRebate(claim(-1000, -873), two)).toBe('rebate_invalid')
  })

  test('gives the remaining cent to the higher rate', () => {
    const groups = { 7: splitTax(1_000, 7, 'gross'), 19: splitTax(1_000, 19, 'gross') }
    expect(sharesOfRebate(claim(-1001, -888), groups)).toEqual([
      [19, -501, -421],
      [7, -500, -467],
    ])
  })

  test('is split by net amounts in net mode', () => {
    const groups = { 19: splitTax(10_000, 19, 'net'), 7: splitTax(5_000, 7, 'net') }
    expect(sharesOfRebate({ net: -1000, tax: -150, gross: -1150, quantity: 1 }, groups, 'net')).toEqual([
      [19, -794, -667],
      [7, -356, -333],
    ])
    expect(sharesOfRebate({ net: -1000, tax: -151, gross: -1151, quantity: 1 }, groups, 'net')).toBe('rebate_invalid')
  })

  test('is refused if every group is worth nothing', () => {
    expect(sharesOfRebate(claim(-1000, -872), { 19: splitTax(0, 19, 'gross'), 7: splitTax(0, 7, 'gross') })).toBe(
      'rebate_invalid',
    )
  })
})

describe('bounds', () => {
  test.each([
    ['an amount above 0', { net: 495, tax: 94, gross: 589, quantity: 1 }],
    ['one column above 0', { net: -596, tax: 7, gross: -589, quantity: 1 }],
    ['a net amount above 0, even a cent', { net: 1, tax: -1, gross: 0, quantity: 1 }],
    ['a tax above 0, even a cent', { net: -1, tax: 1, gross: 0, quantity: 1 }],
    ['columns that do not add up', { net: -495, tax: -94, gross: -588, quantity: 1 }],
  ])('%s is no rebate', (_, amounts) => {
    expect(assignRebate(amounts, one, 'gross')).toBe('rebate_invalid')
  })

  test('rebates of exactly the goods leave 0.00', () => {
    expect(priced(cart([goods(19, 3108)]), [claim(-3108, -2612)]).total).toEqual({ net: 0, tax: 0, gross: 0 })
  })

  test('a rebate that exceeds the goods by a cent is refused, and so is one rebate too many', () => {
    const order = cart([goods(19, 3108)])
    const over = { refused: 'rebate_exceeds_total' }
    expect(withRebates(order, [claim(-3109, -2613)])).toEqual({ ...over, rebate: 0 })
    expect(withRebates(order, [claim(-3108, -2612), claim(-1, -1)])).toEqual({ ...over, rebate: 1 })
    expect(withRebates(order, [claim(-589, -495, 6)])).toEqual({ ...over, rebate: 0 })
  })

  test('a rebate is limited by its own rate only, however large the others are', () => {
    const order = cart([goods(7, 50_000), shipping(19, 590)])
    expect(withRebates(order, [claim(-1190, -1000)])).toEqual({ refused: 'rebate_exceeds_total', rebate: 0 })
  })

  test('absurd rebates are refused without overflow', () => {
    const absurd = Array.from({ length: 50 }, () => claim(-99_999_999_999, -84_033_613_445, 9_999))
    expect(withRebates(cart([goods(19, 3108)]), absurd)).toEqual({ refused: 'rebate_exceeds_total', rebate: 0 })
  })

  test('the first rebate that does not fit is named', () => {
    const order = cart([goods(19, 3108)])
    expect(withRebates(order, [claim(-589, -495), claim(-589, -400)])).toEqual({ refused: 'rebate_invalid', rebate: 1 })
  })
})

describe('quantity and percentage', () => {
  test('a rebate is multiplied by its quantity', () => {
    const order = priced(cart([goods(19, 3108)]), [claim(-589, -495, 2)])
    expect(order.rebate.gross).toBe(-1178)
    expect(order.total.gross).toBe(1930)
  })

  test('a percentage is taken of the goods of each rate, not of the package', () => {
    const order = priced(cart([goods(19, 10_000), goods(7, 5_005), shipping(19, 590)]), [{ percent: 10 }])
    expect(order.rebate.gross).toBe(-1_501)
    expect(order.taxrates['19']?.gross).toBe(9_590)
    expect(order.taxrates['7']?.gross).toBe(4_504)
    expect(order.package.gross).toBe(590)
  })

  test.each([
    [0, 15_000],
    [100, 0],
  ])('%p percent leave %p', (percent, left) => {
    expect(priced(cart([goods(19, 10_000), goods(7, 5_000)]), [{ percent }]).total.gross).toBe(left)
  })

  test('a percentage and a further rebate may not exceed the goods together', () => {
    const order = cart([goods(19, 3108)])
    expect(withRebates(order, [{ percent: 90 }, claim(-589, -495)])).toEqual({
      refused: 'rebate_exceeds_total',
      rebate: 1,
    })
  })

  test('a percentage of nothing is nothing', () => {
    expect(cartTotals(cart([percentRebate(10, {}, 'gross')])).total).toEqual({ net: 0, tax: 0, gross: 0 })
  })
})

describe('properties of any order', () => {
  const item = fc.record({
    kind: fc.constantFrom<'goods' | 'package'>('goods', 'package'),
    quantity: fc.integer({ min: 1, max: 100 }),
    taxrate: fc.constantFrom(7, 16, 19),
    gross: fc.integer({ min: 0, max: 100_000 }),
  })
  const anyCart: fc.Arbitrary<Cart> = fc.record({
    lines: fc.array(
      item.map(({ gross, taxrate, ...rest }): CartLine => ({ ...rest, ...at(taxrate, gross) })),
      { minLength: 1, maxLength: 12 },
    ),
    mode: fc.constantFrom<Side>('gross', 'net'),
    taxFree: fc.boolean(),
    cashback: fc.constant(0),
  })
  const anyRebate: fc.Arbitrary<RebateRequest> = fc.oneof(
    fc.record({ percent: fc.integer({ min: 0, max: 100 }) }),
    fc
      .tuple(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(0, 7, 19), fc.integer({ min: 1, max: 3 }))
      .map(([amount, taxrate, quantity]) => ({ ...splitTax(safeCents(-amount), taxrate, 'gross'), quantity })),
  )

  test('accepted rebates are one line each, never above 0, and leave no rate below 0', () => {
    fc.assert(
      fc.property(anyCart, fc.array(anyRebate, { maxLength: 4 }), (order, rebates) => {
        const whole = withRebates(order, rebates)
        if ('refused' in whole) return
        const sums = cartTotals(whole)
        expect(sums.lines).toHaveLength(order.lines.length + rebates.length)
        expect(addSums(sums.lines)).toEqual(sums.total)
        for (const line of sums.lines.slice(order.lines.length)) {
          expect(line.net + line.tax).toBe(line.gross)
          expect(line[sideOf(order)]).toBeLessThanOrEqual(0)
        }
        for (const { net, tax, gross } of Object.values(sums.taxrates))
          expect(Math.min(net, tax, gross)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('a percentage from 0 to 100 always fits', () => {
    fc.assert(
      fc.property(anyCart, fc.integer({ min: 0, max: 100 }), (order, percent) => {
        expect(withRebates(order, [{ percent }])).not.toHaveProperty('refused')
      }),
    )
  })

  test('a rebate of one of its rates, no larger than that rate, always fits or is too large for a nearer one', () => {
    fc.assert(
      fc.property(anyCart, fc.nat({ max: 1_000 }), (order, amount) => {
        const side = sideOf(order)
        for (const [rate, group] of Object.entries(cartTotals(order).taxrates)) {
          const own = splitTax(safeCents(-Math.min(amount, group[side])), Number(rate), side)
          expect(withRebates(order, [{ ...own, quantity: 1 }])).not.toHaveProperty('refused', 'rebate_invalid')
        }
      }),
    )
  })
})
