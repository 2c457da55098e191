import fc from 'fast-check'
import {
  amountOf,
  creditBetween,
  type InvoiceLine,
  type LineCredit,
  withOff,
} from '../../shared/orders/credit/amounts.ts'
import { creditOf } from '../../shared/orders/credit/lines.ts'
import { withDocuments } from '../../shared/orders/documents.ts'
import { type RebateRequest, withRebates } from '../../shared/orders/placing/rebates.ts'
import { type Cart, type CartLine, cartTotals, sideOf } from '../../shared/orders/placing/totals.ts'
import { positionId } from '../../shared/orders/view.ts'
import { addSums, type Cents, type Side, type Sum, splitTax, totalCents } from '../../shared/values/money.ts'
import { merchant } from '../support/order-sample.ts'
import { placed, plain } from '../support/placed-order.ts'
import { sampleInFastLane } from '../support/sampling.ts'

/** The lines of a cart's invoice without its rebates, and its totals by rate. */
const invoiced = (cart: Cart) => {
  const { lines, taxrates, total } = cartTotals(cart)
  const side = sideOf(cart)
  const own = cart.lines.flatMap((line, n): InvoiceLine[] => {
    if (line.kind === 'rebate' || 'shares' in line) return []
    return [{ ...(lines[n] as Sum), quantity: line.quantity, taxrate: cart.taxFree ? 0 : line.taxrate }]
  })
  return { lines: withOff(own, taxrates, side), own, taxrates, total, side }
}

const goods = (gross: Cents, quantity: number, taxrate = 19): CartLine => ({
  kind: 'goods',
  quantity,
  taxrate,
  unit: splitTax(gross, taxrate, 'gross'),
})

const cartOf = (lines: CartLine[], more: Partial<Cart> = {}): Cart => ({
  lines,
  mode: 'gross',
  taxFree: false,
  cashback: 0,
  ...more,
})

const price = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 100_000 }))
const anyCart = fc
  .record({
    lines: fc.array(
      fc.record({
        kind: fc.constantFrom<'goods' | 'package'>('goods', 'goods', 'package'),
        quantity: fc.integer({ min: 1, max: 40 }),
        taxrate: fc.constantFrom(0, 7, 19),
        unit: price.chain(gross => fc.constantFrom(splitTax(gross, 19, 'gross'), splitTax(gross, 7, 'gross'))),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    mode: fc.constantFrom<Side>('gross', 'net'),
    taxFree: fc.boolean(),
    percents: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 2 }),
    fixed: fc.array(price, { maxLength: 2 }),
  })
  .map(({ percents, fixed, ...rest }): Cart => {
    const cart: Cart = { ...rest, cashback: 0 }
    const side = sideOf(cart)
    const wanted: RebateRequest[] = [
      ...percents.map(percent => ({ percent })),
      ...fixed.map(amount => ({ ...splitTax(-amount, cart.taxFree ? 0 : 19, side), quantity: 1 })),
    ]
    // A rebate that the order refuses is left out.
    return wanted.reduce<{ cart: Cart; taken: RebateRequest[] }>(
      (so, rebate) => {
        const all = withRebates(cart, [...so.taken, rebate])
        return 'refused' in all ? so : { cart: all, taken: [...so.taken, rebate] }
      },
      { cart, taken: [] },
    ).cart
  })

const columns = ['net', 'tax', 'gross'] as const
const isSound = ({ net, tax, gross }: Sum) => net >= 0 && tax >= 0 && net + tax === gross

/** Cuts a quantity at random points, given as fractions. */
const cutsOf = (quantity: number, fractions: readonly number[]): number[] =>
  [...new Set([0, ...fractions.map(one => Math.floor(one * quantity)), quantity])].sort((a, b) => a - b)

// Most doubles between 0 and 1 are so small that they would cut off nothing.
const fraction = fc.integer({ min: 0, max: 1000 }).map(thousandths => thousandths / 1000)
const fractions = fc.array(fraction, { maxLength: 6 })

const partsOf = (cart: Cart, at: readonly number[]) => {
  const { lines, ...rest } = invoiced(cart)
  const parts = lines.map(line => {
    const cuts = cutsOf(line.quantity, at)
    return cuts.slice(1).map((to, n) => creditBetween(line, cuts[n] ?? 0, to, rest.side))
  })
  return { lines, parts, ...rest }
}

test('in any parts, the credits are the invoice to the cent, in total and at each tax rate', () => {
  fc.assert(
    fc.property(anyCart, fractions, (cart, at) => {
      const { lines, parts, taxrates, total } = partsOf(cart, at)
      expect(addSums(parts.flat().map(amountOf))).toEqual(total)
      for (const [rate, sum] of Object.entries(taxrates)) {
        const own = parts.filter((_, n) => String(lines[n]?.taxrate) === rate)
        expect(addSums(own.flat().map(amountOf))).toEqual(sum)
      }
    }),
    { numRuns: 2000 },
  )
})

test('no credit is below 0 in any column, neither of goods nor of rebates, and net and tax are gross', () => {
  fc.assert(
    fc.property(anyCart, fractions, (cart, at) => {
      for (const part of partsOf(cart, at).parts.flat())
        expect([part.own, part.off, amountOf(part)].every(isSound)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('the parts of a line are the line of the invoice; without rebates each is credited by its own cents', () => {
  fc.assert(
    fc.property(anyCart, fractions, (cart, at) => {
      const { parts, own } = partsOf(cart, at)
      parts.forEach((credits, n) => {
        const { net, tax, gross } = own[n] as InvoiceLine
        expect(addSums(credits.map(one => one.own))).toEqual({ net, tax, gross })
      })
      const plain = partsOf({ ...cart, lines: cart.lines.filter(({ kind }) => kind !== 'rebate') }, at)
      for (const { off } of plain.parts.flat()) expect(off).toEqual({ net: 0, tax: 0, gross: 0 })
    }),
  )
})

test('pieces cost what they were sold for, less their share of the rebates within a cent', () => {
  fc.assert(
    fc.property(anyCart, fractions, (cart, at) => {
      const { lines, parts, side } = partsOf(cart, at)
      parts.forEach((credits, n) => {
        const line = lines[n] as (typeof lines)[number]
        const unit = line[side] / line.quantity
        const cuts = cutsOf(line.quantity, at)
        credits.forEach((credit: LineCredit, part) => {
          const pieces = (cuts[part + 1] ?? 0) - (cuts[part] ?? 0)
          expect(credit.own[side]).toBe(unit * pieces)
          const exact = ((line[side] - line.off[side]) * pieces) / line.quantity
          expect(Math.abs(amountOf(credit)[side] - exact)).toBeLessThanOrEqual(1)
        })
      })
    }),
  )
})

test('a line less its rebates is its exact share of the invoice, rounded up or down, in the column of the order', () => {
  const line = fc.tuple(fc.integer({ min: 100, max: 3000 }), fc.integer({ min: 1, max: 12 }))
  const carts = fc.record({
    pieces: fc.array(line, { minLength: 1, maxLength: 8 }),
    mode: fc.constantFrom<Side>('gross', 'net'),
    percent: fc.integer({ min: 1, max: 60 }),
  })
  fc.assert(
    fc.property(carts, ({ pieces, mode, percent }) => {
      const plain = cartOf(
        pieces.map(([gross, quantity]) => goods(gross, quantity)),
        { mode },
      )
      const { lines, total, side } = invoiced(withRebates(plain, [{ percent }]) as Cart)
      const whole = lines.reduce((sum, one) => sum + one[side], 0)
      for (const { off, ...one } of lines)
        expect(Math.abs(one[side] - off[side] - (one[side] * total[side]) / whole)).toBeLessThan(1)
    }),
    { numRuns: 500 },
  )
})

test('two of six bottles at 8.90 with 10 % off are credited 16.02, and one after another 8.01 each', () => {
  const cart = withRebates(cartOf([goods(890, 6)]), [{ percent: 10 }]) as Cart
  const { lines, side, total } = invoiced(cart)
  const line = lines[0] as (typeof lines)[number]
  expect(total.gross).toBe(4806)
  expect(amountOf(creditBetween(line, 0, 2, side))).toEqual({ net: 1346, tax: 256, gross: 1602 })
  expect([0, 1, 2].map(n => amountOf(creditBetween(line, n, n + 1, side)).gross)).toEqual([801, 801, 801])
})

test('a third of 10.00 is 3.33, and the last credit takes the rounding', () => {
  const line = { net: 1000, tax: 0, gross: 1000, quantity: 3, taxrate: 0, off: { net: 0, tax: 0, gross: 0 } }
  const grosses = [0, 1, 2].map(n => amountOf(creditBetween(line, n, n + 1, 'net')).gross)
  expect(grosses).toEqual([333, 334, 333])
  for (const column of columns) expect(creditBetween(line, 0, 3, 'net').own[column]).toBe(line[column])
})

/** All lists of as many cents from 0 to 3, in rising order. */
const listsOf = (size: number, least = 0): number[][] =>
  size === 0
    ? [[]]
    : [0, 1, 2, 3]
        .filter(gross => gross >= least)
        .flatMap(gross => listsOf(size - 1, gross).map(rest => [gross, ...rest]))

type SmallOrder = { prices: number[]; side: Side; rates: number[]; rebates: (number | 'cent')[] }

/** One to six pieces of 0 to 3 cents at one or two tax rates, with rebates of some percent and of a cent. */
const smallOrders = [1, 2, 3, 4, 5, 6]
  .flatMap(size => listsOf(size))
  .flatMap(prices => (['gross', 'net'] as const).map(side => ({ prices, side })))
  .flatMap(order => [[19], [7], [50], [19, 7]].map(rates => ({ ...order, rates })))
  .flatMap(order =>
    [[], [10], [33], [90], ['cent'], ['cent', 'cent'], [10, 'cent'], [33, 33]].map(
      (rebates): SmallOrder => ({ ...order, rebates: rebates as SmallOrder['rebates'] }),
    ),
  )

/** Its cart, with each piece on a line of its own or equal pieces on one; undefined if the order refuses a rebate. */
const smallCart = ({ prices, side, rates, rebates }: SmallOrder, together: boolean): Cart | undefined => {
  const pieces = prices.map((price, n) => ({ price, taxrate: rates[n % rates.length] as number }))
  const lines = Object.values(
    Object.groupBy(pieces, ({ price, taxrate }, n) => (together ? `${price} at ${taxrate}` : n)),
  ).map((alike): CartLine => {
    const { price, taxrate } = (alike as typeof pieces)[0] as (typeof pieces)[number]
    return { kind: 'goods', quantity: alike?.length ?? 0, taxrate, unit: splitTax(price, taxrate, side) }
  })
  const cent = { ...splitTax(-1, rates[0] as number, side), quantity: 1 }
  const cart = withRebates(
    cartOf(lines, { mode: side }),
    rebates.map(rebate => (rebate === 'cent' ? cent : { percent: rebate })),
  )
  return 'refused' in cart ? undefined : cart
}

test('piece by piece, the credits of every small order of goods of 0 to 3 cents are its invoice', () => {
  for (const order of sampleInFastLane(smallOrders, 7)) {
    for (const cart of [smallCart(order, false), smallCart(order, true)]) {
      if (!cart) continue
      const { lines, taxrates, side } = invoiced(cart)
      for (const [rate, total] of Object.entries(taxrates)) {
        const own = lines.filter(({ taxrate }) => String(taxrate) === rate)
        const credits = own.flatMap(line =>
          Array.from({ length: line.quantity }, (_, n) => creditBetween(line, n, n + 1, side)),
        )
        const isRight = credits.every(one => [one.own, one.off, amountOf(one)].every(isSound))
        expect({ order, sum: addSums(credits.map(amountOf)), isRight }).toEqual({ order, sum: total, isRight: true })
      }
    }
  }
})

// Spread alone, the gross amounts would leave one line more tax than gross, or more net than it had.
test.each<{ name: string; pieces: [gross: Cents, quantity: number][]; taxrate: number; percent: number }>([
  { name: 'five goods of a cent', pieces: Array.from({ length: 5 }, () => [1, 1]), taxrate: 19, percent: 10 },
  {
    name: 'a cent among dearer goods',
    pieces: [
      [1, 6],
      [3, 1],
      [67, 4],
      [9, 4],
      [3, 5],
      [1, 1],
      [87, 5],
    ],
    taxrate: 50,
    percent: 53,
  },
])('$name with $percent % off are credited as invoiced', ({ pieces, taxrate, percent }) => {
  const cart = withRebates(cartOf(pieces.map(([gross, quantity]) => goods(gross, quantity, taxrate))), [{ percent }])
  const { lines, side, total } = invoiced(cart as Cart)
  const credits = lines.map(line => creditBetween(line, 0, line.quantity, side))
  expect(addSums(credits.map(amountOf))).toEqual(total)
  expect(credits.every(one => [one.own, one.off, amountOf(one)].every(isSound))).toBe(true)
})

test('lines that cannot be their invoice are never credited', () => {
  const line = { net: 0, tax: 0, gross: 0, quantity: 1, taxrate: 19 }
  expect(() => withOff([line], { 19: { net: 1, tax: 0, gross: 1 } }, 'gross')).toThrow(RangeError)
})

test('the cashback of all credits is that of the invoice, though that of each piece is rounded', () => {
  const { order, sold } = placed({ ...plain, shipping: 0, off: 0 })
  const pieces = sold.positions.flatMap(({ quantity }, n) =>
    Array.from({ length: quantity }, () => positionId(order.header.id, n + 1)),
  )
  const numbers = { orders: 0, invoices: 0, deliveryNotes: 0, creditAdvices: 0 }
  const context = { now: '2026-02-01 08:00:00', merchant }
  let { documents } = order
  for (const id of pieces) {
    const wish = { positions: [{ id, quantity: 1 }], refund: 'none', restock: false, remark: null } as const
    const credit = creditOf({ ...order, documents }, sold, wish)
    documents = withDocuments({ ...order, documents }, numbers, ['creditAdvice'], context, credit).documents
  }
  const cashbacks = documents.creditAdvices.map(one => totalCents(one.gross_cashback))
  expect(cashbacks.reduce((sum, one) => sum + one, 0)).toBe(totalCents(order.header.gross_cashback))
})
