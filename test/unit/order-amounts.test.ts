import fc from 'fast-check'
import { formatMoney } from '../../shared/values/money.ts'
import type { Kept } from '../support/merchant-data.ts'
import { reckoning } from '../support/order-amounts.ts'
import { type Cart, carts, placed, plain } from '../support/placed-order.ts'

test('the service computes the same as an independent calculation', () => {
  fc.assert(fc.property(carts, cart => expect(reckoning(placed(cart))).toEqual([])))
})

test.each([
  plain,
  { ...plain, mode: 'net' as const },
  { ...plain, terms: { ...plain.terms, tax_free: 1 as const } },
])('rebates of the client and of the order change nothing of that: %#', cart =>
  expect(reckoning(placed(cart))).toEqual([]))

type Changes = Record<string, (kept: Kept) => void>

const line = ({ sold }: Kept, n: number) => {
  const found = n < 0 ? sold.package : sold.positions[n]
  if (!found) throw new Error('there is no such line')
  return found
}

const raise = <T extends Record<Name, string>, Name extends string>(of: T, ...names: Name[]) => {
  for (const name of names) Object.assign(of, { [name]: formatMoney(Math.round(Number(of[name]) * 100) + 1) })
}

const group = ({ order }: Kept, rate: string) => {
  const found = order.header.taxrates[rate]
  if (!found) throw new Error('there is no such rate')
  return found
}

const wrong: Changes = {
  'a line of another quantity': kept => Object.assign(line(kept, 0), { quantity: 8 }),
  'a line at another price': kept => Object.assign(line(kept, 0).item, { gross: '8.91' }),
  'a line at its own price instead of the range’s': kept => Object.assign(line(kept, 1).item, { prices: [] }),
  'a line at another tax rate': kept => Object.assign(line(kept, 1), { taxrate: 19 }),
  'a line taxed as nobody would': kept => {
    const one = line(kept, 0)
    raise(one, 'tax')
    raise(one, 'tax')
    Object.assign(one, { net: formatMoney(Math.round(Number(one.net) * 100) - 2) })
  },
  'a package at another price': kept => Object.assign(line(kept, -1).item, { gross: '5.96' }),
  'a package taken twice': kept => Object.assign(line(kept, -1), { quantity: 2 }),
  'a rate whose tax is a cent more': kept => raise(group(kept, '19'), 'tax'),
  'a rate of a cent more': kept => raise(group(kept, '7'), 'gross', 'net'),
  'a rate that no line has': kept =>
    Object.assign(kept.order.header.taxrates, { 16: { net: '0.00', tax: '0.00', gross: '0.00' } }),
  'a rebate that is a cent less': kept => raise(kept.order.rebates[1] as never, 'gross', 'net'),
  'a rebate of another percentage': kept => Object.assign(kept.order.header, { rebate: 11 }),
  'terms that are not the client’s': kept => Object.assign(kept.order.client as object, { cashback: 3 }),
  'a cashback that is not taken off': kept =>
    Object.assign(kept.order.header, { gross_cashback: kept.order.header.gross }),
}

test.each(Object.entries(wrong))('%s is found', (_, change) => {
  const kept: Kept = JSON.parse(JSON.stringify(placed(plain)))
  expect(reckoning(kept)).toEqual([])
  change(kept)
  expect(reckoning(kept)).not.toEqual([])
})

test('a free package is as right as one with its price', () => {
  const rich: Cart = { ...plain, goods: [{ gross: 9900, taxrate: 19, quantity: 1, agreed: null }], off: 0 }
  const kept = placed(rich)
  expect(kept.sold.package?.gross).toBe('0.00')
  expect(reckoning(kept)).toEqual([])
})
