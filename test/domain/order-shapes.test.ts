import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { newBuyer, person, refusal } from '../support/buyer.ts'
import { newProduct, setPackages } from '../support/checkout.ts'
import { type Json, newClient } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'

const { shop, client, send, add, placed, wines, newBasket, stored } = await newBuyer('Kellerei Vielgestalt')
const stranger = await newBuyer('Kellerei Nebenan')
await setPackages(shop)
const merchant = shop.id
const glasses = await newProduct(shop, { name: 'Gläser', package_quantity: 3 })
const soldOut = await newProduct(shop, { nostock: 1 })
const records = async (shape: 'client' | 'address') => (await query({ pk: partition(shape, { merchant }) })).length
const inline = (data: object) => placed({ billing_id: undefined, billing: person, ...data })

afterAll(async () => expect(await violations(merchant)).toEqual([]))

describe('an address typed at the checkout', () => {
  test('of an unknown buyer becomes a client for billing and delivery', async () => {
    const order = await inline({})
    expect(order).toMatchObject({ billing_type: 'client', delivery_type: 'client', client_id: order.billing_id })
    expect(order.delivery_id).toBe(order.billing_id)
    expect(order.client).toMatchObject({
      ...person,
      id: order.client_id,
      company: null,
      phone: null,
      countrycode: 'de',
      type: 'private',
      customers_id: merchant,
    })
    expect([order.billing, order.delivery]).toEqual([order.client, order.client])
    const again = await placed({ billing_id: order.client_id })
    expect(again.client).toEqual(order.client)
  })

  test('next to a named record must equal it', async () => {
    const before = await records('client')
    for (const [side, sent] of [
      ['billing', { billing: person }],
      ['delivery', { delivery: person, delivery_id: client.id }],
    ] as const) {
      const { status, json } = await add(sent)
      expect([status, json.error, json.fields[0].path.split('.')[1]]).toEqual([400, 'identifier_conflict', side])
    }
    const { address, zip, city, countrycode, last_name } = client
    const same = { address, zip, city, countrycode, last_name }
    expect((await placed({ billing: same, delivery: same, delivery_id: client.id })).billing).toEqual(client)
    expect(await records('client')).toBe(before)
  })

  test.each([
    ['address', ''],
    ['zip', null],
    ['city', undefined],
    ['countrycode', 'Germany'],
    ['gender', 'x'],
    ['mail', 7],
  ])('needs a good %s', async (field, value) => {
    for (const side of ['billing', 'delivery']) {
      const answer = await add({ billing_id: undefined, billing: person, [side]: { ...person, [field]: value } })
      expect(refusal(answer)).toEqual([400, 'validation_failed', `data.${side}.${field}`])
    }
  })

  test('needs a name', async () => {
    const answer = await add({ billing_id: undefined, billing: { ...person, last_name: ' ' } })
    expect(refusal(answer)).toEqual([400, 'validation_failed', 'data.billing'])
    expect((await add({ billing_id: undefined })).json.error).toBe('validation_failed')
  })

  test("of a client who is unknown, deleted or another merchant's is refused", async () => {
    const deleted = await newClient(shop, { deleted: 1 })
    const theirs = await newClient(stranger.shop)
    for (const client_id of [2 ** 50, deleted.id, theirs.id]) {
      const answer = await add({ billing_id: undefined, billing: person, client_id })
      expect([client_id, ...refusal(answer)]).toEqual([client_id, 422, 'reference_not_found', 'data.client_id'])
    }
  })
})

describe('an address of a client', () => {
  const addressOf = async (client_id: number): Promise<number> => {
    const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Groß', client_id }
    return (await shop.call('addresses/add', { data: home })).json.data.id
  }

  test('is ordered for by its client, at the client’s terms', async () => {
    const { id } = await newClient(shop, { rebate: 10, payment_period: 30 })
    const order = await placed({ billing_type: 'address', billing_id: await addressOf(id) })
    expect(order).toMatchObject({ client_id: id, rebate: 10, payment_period: 30, rebate_gross: '-0.89' })
  })

  test('whose client is deleted is an address like any other, without the client’s terms', async () => {
    const gone = await newClient(shop, { rebate: 10, payment_period: 30, tax_free: 1, deleted: 1 })
    const order = await placed({ billing_type: 'address', billing_id: await addressOf(gone.id) })
    expect(order).toMatchObject({ client_id: null, client: null, rebate: 0, payment_period: 14, tax_free: 0 })
    expect(order).toMatchObject({ rebates: [], item_gross: '8.90' })
  })
})

describe('a delivery address without names', () => {
  const { first_name, last_name, company, ...nameless } = { ...person, city: 'Pirna' }
  const nobody = { ...nameless, company: '' }
  const shown = { first_name: 'Änne', last_name: 'Groß', company: null, city: 'Pirna', type: 'shipping' }

  test.each([
    nobody,
    nameless,
    { ...nobody, company: null, last_name: '' },
  ])('gets the names of the billing party: %j', async delivery => {
    expect((await inline({ delivery })).delivery).toMatchObject(shown)
    expect((await inline({ delivery, billing_type: 'address' })).delivery).toMatchObject(shown)
  })

  test('gets the name and company of the billed client', async () => {
    const { id: billing_id } = await newClient(shop, { first_name: null, last_name: null, company: 'Zum Krug GmbH' })
    const { delivery } = await placed({ billing_id, delivery: nobody })
    expect(delivery).toMatchObject({ last_name: null, company: 'Zum Krug GmbH', city: 'Pirna', client_id: billing_id })
  })
})

describe('a client in an order', () => {
  const terms = { payment_period: 30, cashback: 2, cashback_period: 10, rebate: 5, price_range_id: 77 }
  const texts = { payment_period: '30', cashback: '2', cashback_period: '10', rebate: '5', price_range_id: '77' }

  test('has its terms as texts, the order has them as numbers', async () => {
    const { id: billing_id } = await newClient(shop, { ...terms, delivery_address_id: 12 })
    const order = await placed({ billing_id })
    const { price_range_id: _, ...numbers } = terms
    expect(order).toMatchObject({ ...numbers, client: { ...texts, delivery_address_id: '12', id: billing_id } })
    expect([order.billing, order.delivery]).toEqual([order.client, order.client])
    expect((await shop.call('orders/get', { id: order.id })).json.data).toEqual(order)
    const [listed] = (await shop.call('orders/getAll', { include: 'client,billing,delivery', pageSize: 1 })).json.data
    expect(listed).toMatchObject({ client: order.client, billing: order.client, delivery: order.client })
    expect(Object.keys(order.client)[0]).toBe('id')
  })

  test('has null for what is not agreed', async () => {
    const { client: unbound } = await placed({})
    for (const name of Object.keys(texts)) expect([name, unbound[name]]).toEqual([name, null])
  })
})

describe('an order of a basket', () => {
  const goods = () => [
    { item_type: 'wine', item_id: shop.wine.secco, quantity: '2' },
    { item_type: 'product', item_id: String(glasses.id), quantity: 1 },
  ]

  test.each(['basket', 'basket_uuid'])('named as %s sells its items, whatever `items` contains', async name => {
    const basket = await newBasket(goods())
    const order = await placed({ [name]: basket, items: wines({ juice: 9 }) })
    expect(order.positions.map(({ item_type, quantity }: Json) => [item_type, quantity])).toEqual([
      ['wine', 2],
      ['product', 1],
    ])
    expect(order.gross).toBe('41.85')
    expect(refusal(await shop.call('baskets/get', { uuid: basket }))).toEqual([404, 'basket_not_found'])
  })

  test('is returned again to the same request, and refused to another', async () => {
    const basket = await newBasket(goods())
    const first = await add({ basket })
    const second = await add({ basket })
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(refusal(await add({ basket, note: 'zwei' }))).toEqual([409, 'basket_already_ordered'])
    await shop.call('orders/checkout/cancel', { id: first.json.data.id })
    expect((await add({ basket, note: 'zwei' })).json.data.id).toBe(first.json.data.id + 1)
  })

  test('as the storefront sends it works unchanged', async () => {
    const basket = await newBasket(goods())
    const buyer = { ...person, mail: 'laden@example.org' }
    const card = [{ id: 1, item_type: 'wine', item: { gross: '12.00' }, quantity: 2 }]
    const data = {
      source: 'shop',
      payment_type: 'prepaid',
      basket,
      billing: buyer,
      delivery: buyer,
      invoice_type: 'gross',
      payment_period: 1,
      note: '',
      session: { billing: buyer, basket, card, payment: 'prepaid', campaign: null },
    }
    const { status, json } = await send({ data, filter: [] })
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ status: 'need_payment', source: 'shop', payment_period: 1, note: null })
    expect(json.data).toMatchObject({ billing_type: 'client', delivery_type: 'address', payment_type: 'prepaid' })
    const read = (await shop.call('orders/get', { uuid: json.data.uuid, filter: [] })).json.data
    expect(read).toEqual(json.data)
  })

  test('needs the basket, and something in it', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    const theirs = await stranger.newBasket([{ item_type: 'wine', item_id: stranger.shop.wine.secco, quantity: 1 }])
    expect(refusal(await add({ basket: unknown }))).toEqual([422, 'basket_not_found'])
    expect(refusal(await add({ basket: theirs }))).toEqual([422, 'basket_not_found'])
    expect(refusal(await add({ basket: await newBasket([]) }))).toEqual([422, 'empty_order'])
    expect(refusal(await add({ basket: unknown, basket_uuid: theirs }))).toEqual([400, 'identifier_conflict'])
    expect(refusal(await add({ basket: 'x' }))).toEqual([400, 'validation_failed', 'data.basket'])
  })
})

test('a refused order stores no record', async () => {
  const before = await stored()
  const data = { billing_id: undefined, billing: person, delivery: person }
  for (const wrong of [
    { gross: '0.01' },
    { items: [] },
    { items: [{ item_type: 'product', item_id: soldOut.id, quantity: 1 }] },
    { client_id: 2 ** 50 },
  ]) {
    expect((await add({ ...data, ...wrong })).status).toBe(422)
  }
  expect(await stored()).toEqual(before)
})
