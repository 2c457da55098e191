import type { NewOrder } from '../../shared/contract/orders.ts'
import { completeClient } from '../../shared/contract/records/client.ts'
import type { PricedItem } from '../../shared/orders/placing/pricing.ts'
import { priceOrder } from '../../shared/orders/placing/pricing.ts'
import type { References } from '../../shared/orders/placing/references.ts'

const goods = { active: 1, nostock: 0, shop: 1, gross: '11.90', net: '10.00', taxrate: 19, prices: [] }
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

/** What is thrown, with its word and fields. */
const thrownBy = (act: () => unknown) => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

const bottles = (item_id: number, seen?: string): PricedItem => ({ item_type: 'wine', item_id, quantity: 1, seen })

test('where the sum is another one than the shop expects, the items are told whose price has changed meanwhile', () => {
  const items: PricedItem[] = [
    { item_type: 'rebate', name: 'Treue', net: -100, tax: -19, gross: -119, quantity: 1 },
    bottles(1, '11.90'),
    bottles(2, '9.90'),
    { item_type: 'package', item_id: 1 },
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

test('a rebate of a client that is more than all of the goods is refused by its percentage', () => {
  expect(thrownBy(asking({}, [bottles(1)], { client: { ...client, rebate: 300 } }))).toMatchObject({
    word: 'rebate_exceeds_total',
    message: 'The rebate of 300 % is refused.',
    fields: [],
  })
})

test('a package whose price is no amount makes no order', () => {
  expect(thrownBy(asking({}, [bottles(1)], { packages: [{ ...parcel, gross: 'frei' }] }))).toMatchObject({
    word: 'price_inconsistent',
    fields: [{ path: 'package', rule: 'price_inconsistent' }],
  })
})

test('a limit for free freight that is no amount makes no order', () => {
  expect(asking({}, [bottles(1)], { merchant: { freight_free_from: 'viel' } })).toThrow('no amount')
})
