import { randomUUID } from 'node:crypto'
import type { Route } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { formToken } from '../../shared/merchants/sessions.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newBasket, newProduct, returning, setMerchant, setPackages, whatInvoicesNeed } from '../support/checkout.ts'
import { newAccount, signedIn } from '../support/client-account.ts'
import type { Answer, Json } from '../support/harness.ts'

const shop = await newCellar('Kellerei Zwei Kunden', ['invoice', 'paypal'])
const merchant = shop.id
const { riesling = 0 } = shop.wine
await setMerchant(shop, whatInvoicesNeed)
const street = { address: 'Weg 1', zip: '01067', city: 'Dresden' }
const [own, other] = [await newAccount(shop, street), await newAccount(shop, street)]
const product = await newProduct(shop)
await setPackages(shop)
const category = { id: 5, name: 'Rot', path_segment: 'rot' }
await putItem(key('category', { merchant, id: category.id }), category as never)

const home = { last_name: 'Beispiel', ...street, countrycode: 'de' }
const items = itemsOf(shop, { riesling: 1 })
const dead = formToken('wkc', `${merchant.toString(16)}x${own.id.toString(16)}`)
const withToken = (token: string) => ({ headers: { 'client-authorization': token } })

const addressOf = async (client_id: number): Promise<number> =>
  (await shop.call('addresses/add', { data: { ...home, client_id } })).json.data.id
const orderOf = async (client_id: number, more: object = {}): Promise<Json> =>
  (await shop.call('orders/add', { data: { billing_id: client_id, payment_type: 'invoice', items, ...more } })).json
    .data

/** A basket whose order waits for its payment. */
const waitingBasket = async (client: number): Promise<string> => {
  const basket = await newBasket(shop, riesling, 1)
  await orderOf(client, { basket_uuid: basket, payment_type: 'paypal', ...returning })
  return basket
}

/** A client's records that a request may name. */
type Things = { client: number; address: number; order: number; uuid: string; basket: string }

const thingsOf = async (client: number): Promise<Things> => {
  const { id: order, uuid } = await orderOf(client)
  return { client, address: await addressOf(client), order, uuid, basket: await waitingBasket(client) }
}
const nothing: Things = { client: 2 ** 41, address: 2 ** 42, order: 2 ** 43, uuid: randomUUID(), basket: randomUUID() }

const order = (more: object) => ({ data: { payment_type: 'invoice', items, ...more } })

// All requests by which a route may name a client's record. A route for clients that is missing here fails below.
const naming: Record<string, readonly ((of: Things) => object)[]> = {
  'orders/get': [({ order: id }) => ({ id }), ({ uuid }) => ({ uuid })],
  'orders/touch': [({ order: id }) => ({ id }), ({ uuid }) => ({ uuid })],
  'orders/getAll': [() => ({})],
  'orders/checkout/cancel': [({ order: id }) => ({ id }), ({ uuid }) => ({ uuid }), ({ uuid }) => ({ order_id: uuid })],
  'checkouts/cancel': [({ order: id }) => ({ id }), ({ uuid }) => ({ uuid })],
  'orders/add': [
    ({ client }) => order({ billing_id: client }),
    ({ client }) => order({ client_id: client, billing: home }),
    ({ address }) => order({ billing_type: 'address', billing_id: address }),
    ({ address }) => order({ billing: home, delivery_type: 'address', delivery_id: address }),
    ({ client }) => order({ billing: home, delivery_type: 'client', delivery_id: client }),
    ({ basket }) => order({ billing: home, items: undefined, basket_uuid: basket }),
    ({ basket }) => ({ ...order({ billing: home, items: undefined, basket_uuid: basket }), dry_run: 1 }),
  ],
  'orders/getDocument': [({ order: id }) => ({ id, document: 'invoice', format: 'pdf' })],
  'addresses/add': [({ client }) => ({ data: { ...home, client_id: client } })],
  'addresses/get': [({ address: id }) => ({ id })],
  'addresses/edit': [
    ({ address: id }) => ({ id, data: { city: 'Ulm' } }),
    ({ address: id, client }) => ({ id, data: { client_id: client } }),
  ],
  'addresses/delete': [({ address: id }) => ({ id })],
  'addresses/getAll': [({ client }) => ({ client_id: client })],
  'addresses/getByClient': [({ client }) => ({ client_id: client })],
  'clients/orders/get': [({ order: id }) => ({ id }), ({ uuid }) => ({ uuid })],
  'clients/orders/getAll': [() => ({})],
  'clients/get': [() => ({})],
  'clients/edit': [() => ({ data: { city: 'Ulm' } })],
}

/** Requests of the routes that show prices. */
const asking: Record<string, () => Promise<object> | object> = {
  'wines/get': () => ({ id: riesling }),
  'facts/getAll': () => ({ wine_id: riesling }),
  'wines/getByCategory': () => ({ id: category.id }),
  'wines/getByType': () => ({ type: 'white' }),
  'categories/get': () => ({ id: category.id }),
  'categories/getWines': () => ({ id: category.id }),
  'categories/getWithWines': () => ({ id: category.id }),
  'products/get': () => ({ id: product.id }),
  'packaging/find': () => ({ bottles: 1 }),
  'baskets/get': async () => ({ uuid: await newBasket(shop, riesling, 1) }),
  'baskets/addItem': async () => ({
    uuid: await newBasket(shop, riesling, 1),
    data: { item_type: 'product', item_id: product.id, quantity: 1 },
  }),
  'baskets/edit': async () => ({ uuid: await newBasket(shop, riesling, 1), data: { basketItems: items } }),
  'baskets/editItem': async () => ({ id: await itemIn(await newBasket(shop, riesling, 1)), data: { quantity: 2 } }),
  'baskets/deleteItem': async () => ({ id: await itemIn(await newBasket(shop, riesling, 1)) }),
}
const itemIn = async (uuid: string): Promise<number> =>
  (await shop.call('baskets/get', { uuid })).json.data.basketItems[0].id

const nameOf = ({ path }: Route) => path.replace('/service/', '')
const taking = (use: Route['client']) => routes.filter(({ level, client }) => level === 'service' && client === use)
const outcomeOf = ({ status, json }: Answer) => [status, json.error ?? json.fields ?? null]

const foreign = await thingsOf(other.id)

describe('the token of a client', () => {
  test.each(taking('refused').map(nameOf))('is refused by %s', async route => {
    const { status, json } = await own.call(route)
    expect([status, json.error, json.fields[0].path]).toEqual([400, 'validation_failed', 'Client-Authorization'])
  })

  test.each(taking('prices').map(nameOf))('is ignored by %s if it is invalid', async route => {
    const ask = async (options = {}) => outcomeOf(await shop.call(route, await (asking[route]?.() ?? {}), options))
    for (const token of [dead, 'abc', shop.token, own.token]) expect(await ask(withToken(token))).toEqual([200, null])
  })

  test.each(
    [...taking('narrows'), ...taking('required')].map(nameOf),
  )('is refused by %s if it is invalid', async route => {
    expect(outcomeOf(await shop.call(route, {}, withToken(dead)))).toEqual([401, 'client_token_invalid'])
  })

  // clients/logout has no parameter but the token, and ends it.
  test.each(
    [...taking('narrows'), ...taking('required')].map(nameOf).filter(name => name !== 'clients/logout'),
  )('neither shows nor changes another client’s records by %s', async route => {
    const before = await recordsOf(foreign)
    const bodies = naming[route]
    if (!bodies) throw new Error(`${route} names no client's records here: decide what it shows a client`)
    for (const body of bodies) {
      const headers = { 'x-request-id': 'same' }
      const [answer, missing] = [
        await own.call(route, body(foreign), { headers }),
        await own.call(route, body(nothing), { headers }),
      ]
      const isSame = JSON.stringify(body(foreign)) === JSON.stringify(body(nothing))
      if (!isSame) expect([route, answer.status, answer.text]).toEqual([route, missing.status, missing.text])
      for (const one of [foreign.uuid, foreign.address, other.mail]) expect(answer.text).not.toContain(String(one))
      const mine = body(await thingsOf(own.id))
      expect([route, mine, (await own.call(route, mine)).status]).toEqual([route, mine, 200])
    }
    expect(await recordsOf(foreign)).toEqual(before)
  })
})

const recordsOf = async ({ client, address, order: id, basket: uuid }: Things) => [
  await getItem(key('client', { merchant, id: client })),
  await getItem(key('address', { merchant, id: address })),
  await getItem(key('order', { merchant, id })),
  await getItem(key('basket', { merchant, uuid })),
  (await shop.call('clients/orders/getAll', { include: '' }, withToken(other.token))).json.totalCount,
  (await shop.call('addresses/getByClient', { client_id: client })).json.totalCount,
]

describe('with its token a client', () => {
  test('lists only its own orders and addresses, for any parameters', async () => {
    const things = await thingsOf(own.id)
    const orders = (await own.call('orders/getAll', { pageSize: 100 })).json
    expect(orders.data.every(({ client_id }: Json) => client_id === own.id)).toBe(true)
    expect(orders.data.map(({ id }: Json) => id)).toContain(things.order)
    for (const [route, body] of [
      ['addresses/getAll', {}],
      ['addresses/getByClient', { client_id: own.id }],
    ] as const) {
      const { data } = (await own.call(route, body)).json
      expect(data.map(({ id }: Json) => id)).toContain(things.address)
      expect(data.every(({ client_id }: Json) => client_id === own.id)).toBe(true)
    }
  })

  test('adds its own addresses and orders, even with another mail', async () => {
    const { json } = await own.call('addresses/add', { data: home })
    expect(json.data.client_id).toBe(own.id)
    await updateItem(key('client', { merchant, id: own.id }), { set: { price_range_id: shop.gastronomy } })
    const again = await signedIn(shop, own)
    const placed = (await again.call('orders/add', order({ billing: { ...home, mail: other.mail } }))).json.data
    expect(placed).toMatchObject({ client_id: own.id, client: { mail: own.mail }, billing: { client_id: own.id } })
    expect(placed.item_gross).toBe('7.50')
    await updateItem(key('client', { merchant, id: own.id }), { set: { price_range_id: null } })
  })

  test('cannot assign an address to another client', async () => {
    const id = await addressOf(own.id)
    for (const client_id of [other.id, null]) {
      expect(outcomeOf(await own.call('addresses/edit', { id, data: { client_id, city: 'Ulm' } }))).toEqual([
        422,
        'reference_not_found',
      ])
    }
    expect((await own.call('addresses/edit', { id, data: { client_id: own.id, city: 'Ulm' } })).json.data.city).toBe(
      'Ulm',
    )
  })

  test('always gets its own prices, and no other client gets them', async () => {
    const agreed = await newAccount(shop)
    await updateItem(key('client', { merchant, id: agreed.id }), { set: { price_range_id: shop.gastronomy } })
    const free = await newAccount(shop)
    await updateItem(key('client', { merchant, id: free.id }), { set: { tax_free: 1 } })
    const uuid = await newBasket(shop, riesling, 1)
    const grossOf = {
      'wines/get': { body: { id: riesling }, of: (data: Json) => data },
      'wines/getAll': { body: { orderBy: 'id', pageSize: 1 }, of: (data: Json) => data[0] },
      'wines/search': { body: { query: 'Kabinett' }, of: (data: Json) => data[0] },
      'baskets/get': { body: { uuid }, of: (data: Json) => data.basketItems[0].item },
    }
    for (const [route, { body, of }] of Object.entries(grossOf)) {
      const ask = async (token?: string) => {
        const { json } = await shop.call(route, body, token ? withToken(token) : {})
        const { net, tax, gross, taxrate, prices } = of(json.data)
        return [net, tax, gross, taxrate, prices.length]
      }
      const list = ['7.48', '1.42', '8.90', 19, 1]
      const all = await Promise.all([agreed.token, undefined, free.token, dead, own.token].map(ask))
      expect([route, all]).toEqual([
        route,
        [['6.30', '1.20', '7.50', 19, 1], list, ['7.48', '0.00', '7.48', 0, 0], list, [...list.slice(0, 4), 0]],
      ])
    }
  })
})

describe('an Idempotency-Key', () => {
  const keyed = (idempotencyKey: string) => ({ headers: { 'idempotency-key': idempotencyKey } })

  test('of a client is separate from those of others', async () => {
    const body = order({ billing: home })
    const place = async (at: typeof own) => (await at.call('orders/add', body, keyed('1'))).json.data
    const [first, second, again] = [await place(own), await place(other), await place(own)]
    expect([first.client_id, second.client_id, again.id]).toEqual([own.id, other.id, first.id])
    expect(outcomeOf(await own.call('orders/add', order({ billing: home, note: 'x' }), keyed('1')))).toEqual([
      422,
      'idempotency_key_reused',
    ])
    // The merchant's own keys are separate as well, also one that is spelled as an owner's.
    expect((await shop.call('orders/add', body, keyed(`client ${own.id} 1`))).json.data.id).not.toBe(first.id)
  })

  test('of a basket is separate from those of others', async () => {
    const baskets = [await newBasket(shop, riesling, 1), await newBasket(shop, riesling, 1)]
    const placed = []
    for (const basket_uuid of [...baskets, ...baskets]) {
      const body = order({ billing_id: own.id, items: undefined, basket_uuid })
      placed.push((await shop.call('orders/add', body, keyed('2'))).json.data.id)
    }
    expect(placed).toEqual([placed[0], (placed[0] ?? 0) + 1, placed[0], (placed[0] ?? 0) + 1])
  })
})
