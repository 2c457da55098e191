import { completeClient } from '../../shared/contract/records/client.ts'
import type { NewOrder } from '../../shared/contract/routes/orders.ts'
import { draftOf, type OrderSource } from '../../shared/orders/placing/draft.ts'
import type { References } from '../../shared/orders/placing/references.ts'
import { prepare } from '../../shared/orders/placing/transaction.ts'
import type { BasketItem } from '../../shared/platform/table/items.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'

// The golden file placed-orders.txt has the other parts of orders.

const merchant = 7 as MerchantId
const seen = { orders: 4, invoices: 10, deliveryNotes: 20, creditAdvices: 30 }
const price = { gross: '11.90', net: '10.00', tax: '1.90', taxrate: 19, prices: [] }
const goods = { ...price, active: 1, nostock: 0, shop: 1, priced: 1 }
const client = completeClient({ id: 3, customers_id: merchant, last_name: 'Groß' })
const party = { type: 'client', id: 3, record: client } as const
const settings = {
  id: merchant,
  payment_types: ['invoice', 'prepaid', 'paypal'],
  default_payment_type: 'invoice',
  freight_free_from: null,
  redirect_hosts: [],
}

const one = { item_type: 'wine', item_id: 1, quantity: 1 } as const
const urls = { return_url: 'https://shop.example/done', cancel_url: 'https://shop.example/no' }

type Changes = { references?: object; basket?: BasketItem; key?: string }

const preparedOf = (data: object = {}, { references = {}, basket, key }: Changes = {}) => {
  const source = {
    placer: { merchant, user: { id: 1, name: 'test' } },
    request: {
      data: { invoice_type: 'gross', source: 'shop', items: [one], ...data } as unknown as NewOrder,
      idempotencyKey: key ?? null,
    },
    basket: basket ?? null,
    references: {
      merchant: settings,
      numbers: seen,
      hasLeader: false,
      billing: party,
      delivery: party,
      buyer: client,
      client,
      newParties: { client: null, addresses: [] },
      wines: new Map([1, 2].map(id => [id, { ...goods, id, name: `Wein ${id}`, translations: [] }])),
      products: new Map(),
      packages: [],
      stock: { wine: new Map(), product: new Map() },
      used: null,
      ...references,
    } as unknown as References,
  } satisfies OrderSource
  return prepare(draftOf(source, 'uuid'), source.references)
}

test.each([
  'prepaid',
  'invoice',
  'paypal',
])('a free order by %s is paid, invoiced, and has no payment', payment_type => {
  const wines = new Map([[1, { ...goods, gross: '0.00', net: '0.00', tax: '0.00', id: 1, name: 'Probe' }]])
  const { order, payment } = preparedOf({ payment_type, ...urls }, { references: { wines } })
  expect(payment).toBe(null)
  expect(order).toMatchObject({ header: { status: 'need_package', paid: true, fixed: true }, payment: null })
  expect([order.documents.invoices.length, order.documents.payments]).toEqual([1, []])
  expect(order.history.map(({ event }) => event)).toEqual(['add', 'payment_completed'])
})

test('an order has the hash of its request, and of its Idempotency-Key instead of the key', () => {
  const { requestHash, idempotencyKey } = preparedOf()
  expect([requestHash, idempotencyKey]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), null])
  const withKey = preparedOf({}, { key: 'key' })
  expect(withKey.requestHash).toBe(requestHash)
  expect(withKey.idempotencyKey).toMatch(/^[0-9a-f]{64}$/)
  expect(preparedOf({}, { key: 'another' }).idempotencyKey).not.toBe(withKey.idempotencyKey)
  expect(preparedOf({ note: 'eilt' }).requestHash).not.toBe(requestHash)
})

test('an order numbers its documents after those before it', () => {
  const { order, numbers } = preparedOf()
  expect(order.documents.invoices).toMatchObject([{ id: 11, delivery_note_id: 21 }])
  expect(order.documents.deliveryNotes).toMatchObject([{ id: 21, invoice_id: 11 }])
  expect(numbers).toEqual({ ...seen, orders: 5, invoices: 11, deliveryNotes: 21 })
})

describe('a sold item', () => {
  const stock = { wine: new Map([[1, 5]]), product: new Map() }

  test('is stored in its own language, with the stock that is left', () => {
    const wine = {
      ...goods,
      id: 1,
      name: 'Silvaner',
      quantity: 77,
      translations: [{ language: 'en', name: 'Sylvaner' }],
    }
    const { order, sold } = preparedOf({}, { references: { wines: new Map([[1, wine]]), stock } })
    expect(sold.positions).toMatchObject([{ name: 'Silvaner', item: { name: 'Silvaner', quantity: 4 } }])
    expect(sold.positions[0]?.item.translations).toEqual([])
    expect(order.counted).toEqual([{ type: 'wine', id: 1, quantity: 1 }])
  })
})
