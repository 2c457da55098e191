import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { completeClient } from '../../shared/contract/records/client.ts'
import type { NewOrder, OrderedItem } from '../../shared/contract/routes/orders.ts'
import { draftOf } from '../../shared/orders/placing/draft.ts'
import type { References } from '../../shared/orders/placing/references.ts'
import { prepare } from '../../shared/orders/placing/transaction.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'
import { formatMoney, splitTax } from '../../shared/values/money.ts'
import type { Kept } from './merchant-data.ts'

const merchant = 7 as MerchantId
const address = { address: 'Ring 1', zip: '55116', city: 'Mainz' }
const none = { orders: 0, invoices: 0, deliveryNotes: 0, creditAdvices: 0 }

const priced = (gross: number, taxrate: number) => {
  const { net, tax } = splitTax(gross, taxrate, 'gross')
  return { net: formatMoney(net), tax: formatMoney(tax), gross: formatMoney(gross), taxrate }
}

/** One ordered article: prices in gross cents; `agreed` is the price of price range 5. */
type Good = { gross: number; taxrate: number; quantity: number; agreed: number | null }
/** The client's terms. */
type Terms = { rebate: number; cashback: number; tax_free: 0 | 1; price_range_id: number | null }
/** An order to be placed: `off` is how many rebates of 1.19 it has, `shipping` what its package costs in gross cents. */
export type Cart = { goods: Good[]; terms: Terms; mode: 'net' | 'gross'; shipping: number; off: number }

/** An order as the service places it: the goods as products 1, 2, …, a package, and what is off. */
export const placed = ({ goods, terms, mode, shipping, off }: Cart): Kept => {
  const client = completeClient({ id: 3, customers_id: merchant, last_name: 'Groß', ...address, ...terms })
  const products = goods.map(({ gross, taxrate, agreed }, n) => ({
    id: n + 1,
    name: `Ware ${n + 1}`,
    active: 1,
    priced: 1,
    nostock: 0,
    ...priced(gross, taxrate),
    prices: agreed === null ? [] : [{ ...priced(agreed, taxrate), price_range_id: 5 }],
  }))
  const parcel = { id: 1, type: 'bottles', min_bottles: null, max_bottles: null, ...priced(shipping, 19) }
  const references = {
    merchant: {
      id: merchant,
      name: 'Weingut am Hang',
      payment_types: ['invoice'],
      default_payment_type: 'invoice',
      freight_free_from: '99.00',
    },
    numbers: none,
    hasLeader: false,
    billing: { type: 'client', id: 3, record: client },
    delivery: { type: 'client', id: 3, record: client },
    buyer: client,
    client,
    products: new Map(products.map(product => [product.id, product])),
    wines: new Map(),
    packages: [parcel],
    stock: { wine: new Map(), product: new Map() },
  } as unknown as References
  const data = { invoice_type: mode, payment_type: 'invoice', source: 'test' } as NewOrder
  const rebate = { item_type: 'rebate', name: 'Treue', net: -100, tax: -19, gross: -119, quantity: 1 } as const
  const untaxed = { ...rebate, tax: 0, gross: -100 }
  const items: OrderedItem[] = [
    ...goods.map(({ quantity }, n) => ({ item_type: 'product' as const, item_id: n + 1, quantity })),
    ...Array.from({ length: off }, () => (terms.tax_free ? untaxed : rebate)),
  ]
  const placer = { merchant, user: { id: 1, name: 'test' } }
  const request = { data: { ...data, items }, idempotencyKey: null }
  const draft = draftOf({ placer, request, basket: null, references }, randomUUID())
  const { order, sold } = prepare(draft, references)
  return { order: { ...order, parts: 1 }, sold, parts: 1 }
}

/** Two rates, a price of the client's range, a package, a rebate of the client and one of the order. */
export const plain: Cart = {
  goods: [
    { gross: 890, taxrate: 19, quantity: 7, agreed: null },
    { gross: 249, taxrate: 7, quantity: 5, agreed: 199 },
  ],
  terms: { rebate: 10, cashback: 2, tax_free: 0, price_range_id: 5 },
  mode: 'gross',
  shipping: 595,
  off: 1,
}

/** Any orders of goods, without rebates of their own. */
export const carts: fc.Arbitrary<Cart> = fc.record({
  goods: fc.array(
    fc.record({
      gross: fc.integer({ min: 200, max: 9_999_999 }),
      taxrate: fc.constantFrom(0, 7, 19),
      quantity: fc.integer({ min: 1, max: 9999 }),
      agreed: fc.option(fc.integer({ min: 200, max: 100_000 })),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  terms: fc.record({
    rebate: fc.constantFrom(0, 3, 15),
    cashback: fc.constantFrom(0, 2, 100),
    tax_free: fc.constantFrom(0, 1),
    price_range_id: fc.constantFrom(null, 5, 6),
  }),
  mode: fc.constantFrom('net', 'gross'),
  shipping: fc.integer({ min: 500, max: 2000 }),
  off: fc.constant(0),
})
