import type { NewOrder } from '../../shared/contract/orders.ts'
import { completeClient } from '../../shared/contract/records/client.ts'
import { draftOf, type OrderSource } from '../../shared/orders/placing/draft.ts'
import type { References } from '../../shared/orders/placing/references.ts'
import { prepare } from '../../shared/orders/placing/transaction.ts'
import type { BasketItem, StoredBasketItem } from '../../shared/platform/table/items.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'

// What an order is made of what it asks for and what was read for it.

const merchant = 7 as MerchantId
const seen = { orders: 4, invoices: 10, deliveryNotes: 20, creditAdvices: 30 }
const price = { gross: '11.90', net: '10.00', tax: '1.90', taxrate: 19, prices: [] }
const goods = { ...price, active: 1, nostock: 0, shop: 1 }
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
const headerOf = (data: object = {}, references: object = {}) => preparedOf(data, { references }).order.header

/** What is thrown, with its word and fields. */
const thrownBy = (act: () => unknown) => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe('an order is paid', () => {
  const agreed = (payment_type: string | null) => ({ client: { ...client, payment_type } })

  test('as it says, else as agreed with the client, else as the merchant prefers', () => {
    expect(headerOf({ payment_type: 'paypal', ...urls }, agreed('prepaid')).payment_type).toBe('paypal')
    expect(headerOf({}, agreed('prepaid')).payment_type).toBe('prepaid')
    expect(headerOf({}, agreed(null)).payment_type).toBe('invoice')
    expect(headerOf({}, { client: null }).payment_type).toBe('invoice')
  })

  test('as the merchant prefers where what was agreed is no way to pay', () => {
    expect(headerOf({}, agreed('barter')).payment_type).toBe('invoice')
  })

  test('by what the merchant takes, whoever chose it', () => {
    const refused = {
      word: 'payment_type_not_allowed',
      message: 'data.payment_type must be one of invoice, prepaid, paypal',
      fields: [{ path: 'data.payment_type', rule: 'one_of', expected: 'invoice, prepaid, paypal' }],
    }
    expect(thrownBy(() => preparedOf({ payment_type: 'cash' }))).toMatchObject(refused)
    expect(thrownBy(() => preparedOf({}, { references: agreed('debit') }))).toMatchObject(refused)
  })

  test('within the days it says, else one day in advance, else as agreed, else 14 days', () => {
    const period = { client: { ...client, payment_period: 30 } }
    expect(headerOf({ payment_type: 'prepaid', payment_period: 0 }, period).payment_period).toBe(0)
    expect(headerOf({ payment_type: 'prepaid' }, period).payment_period).toBe(1)
    expect(headerOf({}, period).payment_period).toBe(30)
    expect(headerOf({}, { client: null }).payment_period).toBe(14)
  })
})

describe('an order shows', () => {
  test('to whom it goes, under what number, and at what terms', () => {
    const terms = { tax_free: 1, rebate: 5, cashback: 2, cashback_period: 10 }
    const remarks = { delivery_note_remark: 'Hintereingang', invoice_remark: 'Konto 7' }
    expect(headerOf({}, { client: { ...client, ...terms, ...remarks } })).toMatchObject({
      ...{ id: 5, number: '5', uuid: 'uuid', customers_id: merchant, client_id: 3, cruser_id: 1, cruser_name: 'test' },
      ...{ billing_type: 'client', billing_id: 3, delivery_type: 'client', delivery_id: 3 },
      ...terms,
      ...remarks,
    })
  })

  test('nobody where it goes to an address of nobody, at no terms', () => {
    const billing = { type: 'address', id: 9, record: { id: 9 } }
    expect(headerOf({}, { billing, delivery: billing, buyer: null, client: null })).toMatchObject({
      ...{ client_id: null, billing_type: 'address', billing_id: 9, delivery_type: 'address', delivery_id: 9 },
      ...{ tax_free: 0, rebate: 0, cashback: 0, cashback_period: 0, gross: '11.90', tax: '1.90' },
      ...{ delivery_note_remark: null, invoice_remark: null },
    })
  })

  test('what the buyer wrote', () => {
    const remarks = { client_remark: 'Bitte klingeln', note: 'eilt', invoice_remark: 'A', delivery_note_remark: 'B' }
    expect(headerOf(remarks)).toMatchObject(remarks)
    expect(headerOf()).toMatchObject({ client_remark: null, note: null })
  })

  test('its basket, by either name', () => {
    expect(preparedOf({ basket: 'one' }).order.basket).toBe('one')
    expect(preparedOf({ basket_uuid: 'one', basket: null }).order.basket).toBe('one')
    expect(preparedOf().order.basket).toBe(null)
  })
})

describe('an order that is due for packing', () => {
  test('is fixed by an invoice, and has a delivery note', () => {
    const { order, numbers } = preparedOf()
    expect(order.header).toMatchObject({ status: 'need_package', fixed: true, paid: false })
    expect(order.documents.invoices).toMatchObject([{ id: 11, delivery_note_id: 21 }])
    expect(order.documents.deliveryNotes).toMatchObject([{ id: 21, invoice_id: 11 }])
    expect(numbers).toEqual({ ...seen, orders: 5, invoices: 11, deliveryNotes: 21 })
  })

  test('has no delivery note where the buyer collects it', () => {
    const { order, numbers } = preparedOf({}, { references: { delivery: null } })
    expect(order.header).toMatchObject({ delivery_type: 'none', delivery_id: null, fixed: true })
    expect(order.delivery).toBe(null)
    expect(order.documents.invoices).toMatchObject([{ id: 11, delivery_note_id: null }])
    expect(order.documents.deliveryNotes).toEqual([])
    expect(numbers).toEqual({ ...seen, orders: 5, invoices: 11 })
  })
})

test.each(['prepaid', 'paypal'])('an order by %s has no documents yet, and is not fixed', payment_type => {
  const { order } = preparedOf({ payment_type, ...urls })
  expect(order.header.fixed).toBe(false)
  expect(order.documents.invoices).toEqual([])
})

describe('an order that is paid at a provider', () => {
  const external = { payment_type: 'paypal', ...urls }

  test('brings a payment of its amount along', () => {
    const { order, payment } = preparedOf(external)
    expect(order).toMatchObject({ header: { status: 'new', paid: false }, payment: payment?.uuid })
    expect(payment).toMatchObject({
      ...{ order: 5, order_uuid: 'uuid', type: 'paypal', amount: 1190, currency: 'EUR', status: 'created' },
      ...urls,
    })
    expect(preparedOf().payment).toBe(null)
    expect(preparedOf().order.payment).toBe(null)
  })
})

test.each([
  'prepaid',
  'invoice',
  'paypal',
])('an order of 0.00 by %s is paid, invoiced, and has no payment', payment_type => {
  const wines = new Map([[1, { ...goods, gross: '0.00', net: '0.00', tax: '0.00', id: 1, name: 'Probe' }]])
  const { order, payment } = preparedOf({ payment_type, ...urls }, { references: { wines } })
  expect(payment).toBe(null)
  expect(order).toMatchObject({ header: { status: 'need_package', paid: true, fixed: true }, payment: null })
  expect([order.documents.invoices.length, order.documents.payments]).toEqual([1, []])
  expect(order.history.map(({ event }) => event)).toEqual(['add', 'payment_completed'])
})

describe('a request is known again', () => {
  test('by all of its data', () => {
    const hash = preparedOf().requestHash
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(preparedOf({}, { key: 'key' }).requestHash).toBe(hash)
    expect(preparedOf({ note: 'eilt' }).requestHash).not.toBe(hash)
  })

  test('by its Idempotency-Key, which is not kept itself', () => {
    const of = (key: string) => preparedOf({}, { key }).idempotencyKey
    expect(of('key')).toMatch(/^[0-9a-f]{64}$/)
    expect(of('another')).not.toBe(of('key'))
    expect(preparedOf().idempotencyKey).toBe(null)
  })

  test('by its basket, in the version whose items it takes', () => {
    const items = [{ id: 1, ...one, quantity: 3 }] as StoredBasketItem[]
    const basket = { uuid: 'basket', items, version: 8, crstamp: '', expires: 0 }
    const { basketVersion, sold } = preparedOf({ basket: 'basket', items: null }, { basket })
    expect(basketVersion).toBe(8)
    expect(sold.positions).toMatchObject([{ item_id: 1, quantity: 3 }])
    expect(preparedOf().basketVersion).toBe(null)
  })
})

describe('what is sold', () => {
  const stock = { wine: new Map([[1, 5]]), product: new Map() }

  test('is kept as it was: in its own language, and with the stock that is left then', () => {
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

  test('is there: of an item that is named twice both count', () => {
    const item = (quantity: number) => ({ ...one, quantity })
    const refusal = thrownBy(() =>
      preparedOf({ items: [item(2), { ...one, item_id: 2 }, item(4)] }, { references: { stock } }),
    )
    const missing = { rule: 'insufficient_stock', expected: 'at most 5 in this order', item_type: 'wine', item_id: 1 }
    expect(refusal).toMatchObject({
      word: 'insufficient_stock',
      fields: [
        { path: 'data.items.0.quantity', ...missing },
        { path: 'data.items.2.quantity', ...missing },
      ],
    })
    expect(preparedOf({ items: [item(2), item(3)] }, { references: { stock } }).order.counted).toMatchObject([
      { quantity: 5 },
    ])
  })

  test.each(['net', 'gross'])('has a price: a record whose %s is no amount makes no order', column => {
    const wines = new Map([[1, { ...goods, id: 1, name: 'Silvaner', [column]: 'frei' }]])
    expect(thrownBy(() => preparedOf({}, { references: { wines } }))).toMatchObject({
      word: 'price_inconsistent',
      fields: [{ path: 'data.items.0.item_id', rule: 'price_inconsistent' }],
    })
  })
})
