import { itemsOf, newCellar } from '../support/cellar.ts'
import { type Answer, type Json, newClient } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'
import { recordOf } from '../support/wine-shop.ts'

const allTypes = ['paypal', 'prepaid', 'invoice', 'cash', 'debit', 'card', 'bank'] as const
const shop = await newCellar('Weingut am Hang', [...allTypes])
const client = await newClient(shop)
const items = itemsOf(shop, { riesling: 6, juice: 1 })
const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', name: 'Zum Krug', mail: null }

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const amount = expect.stringMatching(/^\d+\.\d\d$/)

const add = (data: object): Promise<Answer> =>
  shop.call('orders/add', { data: { billing_id: client.id, payment_type: 'invoice', items, ...data } })
const placed = async (data: object = {}): Promise<Json> => {
  const { status, json } = await add(data)
  expect(status).toBe(200)
  return json.data
}
const newAddress = async (fields: object = {}): Promise<Json> =>
  (await shop.call('addresses/add', { data: { ...home, ...fields } })).json.data

afterAll(async () => expect(await violations(shop.id)).toEqual([]))

describe('placing an order', () => {
  test('returns header, records, positions and documents', async () => {
    const order = await placed({ note: 'Klingel defekt', client_remark: 'Bitte\r\nschnell' })
    const { id } = order
    const own = { crstamp: timestamp, chstamp: timestamp, cruser_id: 1, customers_id: shop.id, client_id: client.id }
    const sums = {
      net: amount,
      tax: amount,
      gross: '55.89',
      taxrates: { 7: expect.any(Object), 19: expect.any(Object) },
      item_net: amount,
      item_tax: amount,
      item_gross: '55.89',
      rebate: 0,
      rebate_net: '0.00',
      rebate_tax: '0.00',
      rebate_gross: '0.00',
      cashback: 0,
      gross_cashback: '55.89',
      cashback_period: 0,
    }
    const terms = {
      billing_type: 'client',
      billing_id: client.id,
      delivery_type: 'client',
      delivery_id: client.id,
      payment_type: 'invoice',
      payment_period: 14,
      invoice_type: 'gross',
      tax_free: 0,
    }
    const [invoice, note] = [order.documents.invoices[0], order.documents.deliveryNotes[0]]
    expect(order).toEqual({
      id,
      uuid,
      number: String(id),
      ...terms,
      ...sums,
      ...own,
      delivery_note_remark: null,
      status: 'need_package',
      source: 'unknown',
      client_remark: 'Bitte\nschnell',
      invoice_remark: null,
      note: 'Klingel defekt',
      touched: 0,
      credited: 'none',
      fixed: true,
      paid: false,
      min_age: 16,
      cruser_name: 'test',
      client,
      billing: client,
      delivery: client,
      positions: [
        expect.objectContaining({ item_type: 'wine', item_id: shop.wine.riesling, quantity: 6, gross: '53.40' }),
        expect.objectContaining({ item_type: 'wine', item_id: shop.wine.juice, quantity: 1, gross: '2.49' }),
      ],
      package: null,
      rebates: [],
      documents: {
        invoices: [
          {
            id: expect.any(Number),
            uuid,
            order_id: id,
            number: `R-${invoice.id}`,
            ...terms,
            ...sums,
            ...own,
            delivery_note_id: note.id,
            status: 'need_package',
            remark: null,
            seller: expect.objectContaining({ name: 'Weingut am Hang', company: null }),
          },
        ],
        deliveryNotes: [
          {
            id: expect.any(Number),
            uuid,
            order_id: id,
            invoice_id: invoice.id,
            number: `L-${note.id}`,
            delivery_type: 'client',
            delivery_id: client.id,
            status: 'need_package',
            remark: null,
            carrier: null,
            tracking: null,
            ...own,
          },
        ],
        payments: [],
        creditAdvices: [],
      },
    })
  })

  test('each position has the wine as it was sold, and the ids of the order and its documents', async () => {
    const order = await placed()
    const wine = recordOf((await shop.call('wines/get', { id: shop.wine.riesling })).json.data)
    expect(order.positions[0]).toEqual({
      id: expect.any(Number),
      sorting: 1,
      item_type: 'wine',
      name: 'Riesling Kabinett',
      item_id: wine.id,
      quantity: 6,
      net: '44.87',
      tax: '8.53',
      gross: '53.40',
      taxrate: 19,
      order_id: order.id,
      invoice_id: order.documents.invoices[0].id,
      delivery_note_id: order.documents.deliveryNotes[0].id,
      credit_advice_id: null,
      crstamp: order.crstamp,
      chstamp: order.chstamp,
      cruser_id: 1,
      customers_id: shop.id,
      client_id: client.id,
      base_price: { amount: '11.87', unit: 'l' },
      min_age: 16,
      item: { ...wine, quantity: 0 },
    })
    expect(order.positions[1].sorting).toBe(2)
  })

  test("for a client's address, it is the client's order", async () => {
    const address = await newAddress({ client_id: client.id })
    const order = await placed({ billing_type: 'address', billing_id: String(address.id) })
    expect(order).toMatchObject({ client_id: client.id, client, billing: address, delivery: address })
  })

  test('it may be delivered elsewhere', async () => {
    const address = await newAddress()
    const order = await placed({ delivery_type: 'address', delivery_id: address.id })
    expect(order).toMatchObject({ billing: client, delivery: address, delivery_id: address.id })
  })

  test.each([
    ['invoice', 'need_package', 14],
    ['cash', 'need_package', 14],
    ['debit', 'need_package', 14],
    ['bank', 'need_payment', 14],
    ['prepaid', 'need_payment', 1],
  ])('paid by %s it starts at %s, due after %i days', async (payment_type, status, payment_period) => {
    const order = await placed({ payment_type })
    const isInvoiced = status === 'need_package'
    expect(order).toMatchObject({ payment_type, status, payment_period, fixed: isInvoiced, paid: false })
    expect(order.documents.invoices).toHaveLength(isInvoiced ? 1 : 0)
    expect(order.documents.deliveryNotes).toHaveLength(isInvoiced ? 1 : 0)
    expect((await shop.call('orders/get', { id: order.id })).json.data).toEqual(order)
  })

  test('ignores further parameters', async () => {
    const data = { billing_id: client.id, items, basket: null, terms: true }
    const { status } = await shop.call('orders/add', { data, filter: [], language: 'de', redirect: 1 })
    expect(status).toBe(200)
  })
})
