import { completeClient } from '../../shared/contract/records/client.ts'
import type { NewOrder } from '../../shared/contract/routes/orders.ts'
import type { PricedItem } from '../../shared/orders/placing/pricing.ts'
import { priceOrder } from '../../shared/orders/placing/pricing.ts'
import type { References } from '../../shared/orders/placing/references.ts'

const goods = { active: 1, nostock: 0, shop: 1, priced: 1, gross: '11.90', net: '10.00', taxrate: 19, prices: [] }
const parcel = { id: 1, type: 'bottles', min_bottles: null, max_bottles: null, gross: '5.95', net: '5.00', taxrate: 19 }
const client = completeClient({ id: 3, customers_id: 7, last_name: 'Groß' })
const [wine, product] = [
  { ...goods, name: 'Silvaner' },
  { ...goods, name: 'Karaffe' },
]

const asking = (data: object, items: readonly PricedItem[], changes: object = {}) => {
  const references = {
    merchant: { freight_free_from: null },
    client,
    delivery: { type: 'client', id: 3, record: client },
    wines: new Map([1, 2, 3].map(id => [id, { ...wine, id }])),
    products: new Map([1, 2].map(id => [id, { ...product, id }])),
    packages: [parcel],
    stock: { wine: new Map(), product: new Map() },
    ...changes,
  } as unknown as References
  return () => priceOrder({ invoice_type: 'gross', ...data } as NewOrder, items, references)
}

const thrownBy = (act: () => unknown) => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

const bottles = (item_id: number, seen?: string): PricedItem => ({ item_type: 'wine', item_id, quantity: 1, seen })

test('a refusal of the sum lists the items whose price has changed since they were put into the basket', () => {
  const items: PricedItem[] = [
    { item_type: 'rebate', name: 'Treue', net: -100, tax: -19, gross: -119, quantity: 1 },
    bottles(1, '11.90'),
    bottles(2, '9.90'),
    // Its id is a product's, too.
    { item_type: 'package', item_id: 1, seen: '5.95' },
    bottles(3),
    { item_type: 'product', item_id: 2, quantity: 1, seen: '12.00' },
    { item_type: 'product', item_id: 1, quantity: 1, seen: '11.90' },
  ]
  const changed = { rule: 'price_changed', expected: '11.90' }
  expect(thrownBy(asking({ gross: 1 }, items))).toMatchObject({
    word: 'price_mismatch',
    fields: [
      { path: 'data.gross', rule: 'mismatch', expected: '64.26' },
      { path: 'data.items.2', ...changed, item_type: 'wine', item_id: 2 },
      { path: 'data.items.5', ...changed, item_type: 'product', item_id: 2 },
    ],
  })
  expect(asking({ gross: 6426 }, items)()).toMatchObject({ totals: { total: { gross: 6426 } } })
})

test('a client’s rebate of more than 100 % is refused with its percentage', () => {
  expect(thrownBy(asking({}, [bottles(1)], { client: { ...client, rebate: 300 } }))).toMatchObject({
    word: 'rebate_exceeds_total',
    message: "The client's rebate of 300 % cannot be applied to this order.",
    fields: [],
  })
})

test('a malformed limit for free shipping is an error', () => {
  expect(asking({}, [bottles(1)], { merchant: { freight_free_from: 'viel' } })).toThrow('no amount')
})

test('a refusal lists at most twenty fields', () => {
  const many = Array.from({ length: 25 }, () => bottles(1, '9.90'))
  const { fields } = thrownBy(asking({ gross: 1 }, many)) as { fields: object[] }
  expect(fields).toHaveLength(20)
  expect(fields[0]).toMatchObject({ path: 'data.gross' })
})

test('a sum that is missing or null is not checked', () => {
  const total = { net: 1500, tax: 285, gross: 1785 }
  expect(asking({}, [bottles(1)])()).toMatchObject({ totals: { total } })
  expect(asking({ net: null, tax: null, gross: null }, [bottles(1)])()).toMatchObject({ totals: { total } })
  expect(thrownBy(asking({ net: null, tax: null, gross: 1784 }, [bottles(1)]))).toMatchObject({
    fields: [{ path: 'data.gross', expected: '17.85' }],
  })
  const error = thrownBy(asking({ net: 1, tax: 1, gross: 1 }, [bottles(1)])) as { fields: { path: string }[] }
  expect(error.fields.map(({ path }) => path)).toEqual(['data.net', 'data.tax', 'data.gross'])
})

test('an order of a merchant without tax has none, whatever the terms', () => {
  const merchant = { tax_free: 1, freight_free_from: null }
  for (const terms of [null, client]) {
    const { totals, sold } = asking({}, [bottles(1)], { merchant, client: terms })()
    expect([totals.total, sold.positions[0]?.taxrate]).toEqual([{ net: 1500, tax: 0, gross: 1500 }, 0])
  }
})

describe('the package', () => {
  const packages = [parcel, { ...parcel, id: 2, gross: '11.90', net: '10.00', max_bottles: 6 }]

  test('is the one that the order names, whichever would fit', () => {
    const items: PricedItem[] = [bottles(1), { item_type: 'package', item_id: 1 }]
    expect(asking({}, items, { packages })().sold.package).toMatchObject({ item_id: 1, quantity: 1 })
    expect(asking({}, [bottles(1)], { packages })().sold.package).toMatchObject({ item_id: 2, quantity: 1 })
  })

  test('does not count as goods, in sums and rebates', () => {
    const { totals } = asking({}, [bottles(1), bottles(2)], { client: { ...client, rebate: 10 } })()
    const grosses = [totals.item, totals.package, totals.rebate, totals.total].map(({ gross }) => gross)
    expect(grosses).toEqual([2380, 595, -238, 2737])
  })
})

test('each rebate has its own name, amounts and quantity, the client’s first', () => {
  const off = (name: string, quantity: number, gross: number): PricedItem => ({
    ...{ item_type: 'rebate', name, quantity, gross },
    ...(gross === -119 ? { net: -100, tax: -19 } : { net: -200, tax: -38 }),
  })
  const items = [bottles(1), bottles(2), off('Treue', 2, -119), off('Glasbruch', 1, -238)]
  expect(asking({}, items, { client: { ...client, rebate: 10 } })().rebates).toEqual([
    { name: 'Rabatt 10 %', quantity: 1, net: '-2.00', tax: '-0.38', gross: '-2.38' },
    { name: 'Treue', quantity: 2, net: '-2.00', tax: '-0.38', gross: '-2.38' },
    { name: 'Glasbruch', quantity: 1, net: '-2.00', tax: '-0.38', gross: '-2.38' },
  ])
})
