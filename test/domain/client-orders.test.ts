import { listOrdersOfClients } from '../../lib/tool/client-orders.ts'
import { clients as clientKind } from '../../lib/tool/imports/clients.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { mailKey } from '../../shared/clients/store.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { countItems, getItem, putItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newBasket, newProduct, setMerchant } from '../support/checkout.ts'
import { newAccount, signedIn } from '../support/client-account.ts'
import { type Json, newClient } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'
import { counted } from '../support/partitions.ts'
import { crowd } from '../support/sampling.ts'

const shop = await newCellar('Kellerei Gast', ['invoice', 'prepaid', 'cash'])
const merchant = shop.id
const items = itemsOf(shop, { riesling: 2 })
const home = { address: 'Weg 2', zip: '01067', city: 'Dresden', countrycode: 'de' }
const guest = (mail: string, more: object = {}) => ({ ...home, first_name: 'Eva', last_name: 'Gast', mail, ...more })

const add = async (data: object): Promise<Json> => {
  const { status, json } = await shop.call('orders/add', { data: { payment_type: 'invoice', items, ...data } })
  expect([status, json.details]).toEqual([200, undefined])
  return json.data
}
const stored = (id: number) => getItem(key('client', { merchant, id }))
const clients = () => countItems(partition('client', { merchant }))
const addressOf = (id: number) => getItem(key('address', { merchant, id }))

/** A client with its own terms, found by its mail. */
const knownClient = async (mail: string) => {
  const terms = { price_range_id: shop.gastronomy, rebate: 10, payment_type: 'prepaid', iban: 'DE1', number: '4711' }
  const client = await newClient(shop, { ...terms, mail, payment_type: 'prepaid', tax_free: 1 })
  await putItem(mailKey(merchant, mail), { id: client.id })
  return client
}

describe('a guest', () => {
  test('with a new mail becomes a client with a number, found by the mail', async () => {
    const order = await add({ billing: guest('Neu@Example.org') })
    const { client_id: id } = order
    const number = 'K-1001'
    expect(order).toMatchObject({ billing_type: 'client', billing_id: id, billing: { number }, client: { id, number } })
    expect(await stored(id)).toMatchObject({ number, mail: 'Neu@Example.org', last_name: 'Gast' })
    expect((await shop.call('clients/exists', { mail: 'neu@example.org' })).json.data).toBe(id)
    const again = await add({ billing: guest('NEU@example.org', { last_name: 'Neugast', name: 'x' }) })
    expect(again).toMatchObject({
      client_id: id,
      billing_type: 'address',
      billing: { last_name: 'Neugast', client_id: id },
    })
    expect(again.client).toMatchObject({ id, number, last_name: 'Neugast' })
    expect((await stored(id))?.last_name).toBe('Gast')
  })

  test('without a mail, or sent as an address, is not looked up', async () => {
    const before = await clients()
    await add({ billing: { ...home, last_name: 'Ohne' } })
    await add({ billing: { ...home, last_name: 'Ohne', mail: '' } })
    expect(await clients()).toBe(before + 2)
    const order = await add({ billing_type: 'address', billing: guest('neu@example.org') })
    expect([order.client_id, order.billing_type]).toEqual([null, 'address'])
  })

  test('with a known mail becomes an address of that client, without its data and its terms', async () => {
    const known = await knownClient('stamm@example.org')
    const before = await clients()
    const own = await add({
      billing: guest('STAMM@example.org'),
      delivery: { ...home, city: 'Pirna' },
      payment_type: null,
    })
    const plain = await add({ billing: guest('fremd@example.org'), payment_type: null })
    expect(await clients()).toBe(before + 1)
    const terms = ['gross', 'net', 'tax_free', 'payment_type', 'payment_period', 'rebate', 'cashback', 'item_gross']
    for (const name of terms) expect([name, own[name]]).toEqual([name, plain[name]])
    expect(own.client_id).toBe(known.id)
    expect(own.client).toEqual({
      ...plain.client,
      ...{ id: known.id, number: '4711', mail: 'STAMM@example.org' },
    })
    expect(await addressOf(own.billing_id)).toMatchObject({ client_id: known.id, type: 'invoice', last_name: 'Gast' })
    expect(await addressOf(own.delivery_id)).toMatchObject({ client_id: known.id, type: 'shipping', city: 'Pirna' })
    expect(await stored(known.id)).toEqual(known)
    // A shop that sends the client's id is trusted.
    const named = await add({ client_id: known.id, billing: guest('stamm@example.org'), payment_type: null })
    expect(named).toMatchObject({ client_id: known.id, rebate: 10, payment_type: 'prepaid', client: { iban: 'DE1' } })
  })

  test('with a mail that a client has only claimed belongs to no client', async () => {
    const account = await newAccount(shop)
    await account.call('clients/edit', { data: { mail: 'behauptet@example.org' } })
    const before = await clients()
    const order = await add({ billing: guest('behauptet@example.org') })
    expect([order.client_id, order.client, order.billing_type]).toEqual([null, null, 'address'])
    expect(await clients()).toBe(before)
    expect((await account.call('clients/orders/getAll')).json).toMatchObject({ data: [], totalCount: 0 })
  })

  test('with the mail of a deleted client becomes a new client', async () => {
    const known = await knownClient('geloescht@example.org')
    await updateItem(key('client', { merchant, id: known.id }), { set: { deleted: 1 } })
    const order = await add({ billing: guest('geloescht@example.org') })
    expect(order.client_id).not.toBe(known.id)
    expect(await getItem(mailKey(merchant, 'geloescht@example.org'))).toEqual({ id: order.client_id })
  })

  test('without a country gets the merchant’s, for the delivery as well', async () => {
    const { countrycode, ...nowhere } = home
    const typed = { billing: { ...guest('land@example.org'), countrycode: '' }, delivery: nowhere }
    expect(await add(typed)).toMatchObject({ billing: { countrycode: 'de' }, delivery: { countrycode: 'de' } })
    await setMerchant(shop, { countrycode: 'at' })
    expect(await add(typed)).toMatchObject({ billing: { countrycode: 'at' }, delivery: { countrycode: 'at' } })
    await setMerchant(shop, { countrycode: 'de' })
  })

  test('with a new mail becomes one client, of any number of concurrent orders', async () => {
    const place = await newCellar('Kellerei Ansturm', ['invoice'])
    const orders = await Promise.all(
      counted(crowd).map(n =>
        place.call('orders/add', {
          data: {
            payment_type: 'invoice',
            billing: guest('ansturm@example.org', { last_name: `Gast ${n}` }),
            items: itemsOf(place, { riesling: 1 }),
          },
        }),
      ),
    )
    expect(orders.map(({ status, json }) => [status, json.error])).toEqual(orders.map(() => [200, undefined]))
    expect(await countItems(partition('client', { merchant: place.id }))).toBe(1)
    expect(await countItems(partition('address', { merchant: place.id }))).toBe(crowd - 1)
    expect(new Set(orders.map(({ json }) => json.data.client_id)).size).toBe(1)
    expect(orders.map(({ json }) => json.data.billing.last_name)).toEqual(counted(crowd).map(n => `Gast ${n}`))
    const taken = await Promise.all(
      (['clients', 'addresses'] as const).map(name => getItem(key('quota', { merchant: place.id, name }))),
    )
    // Quota is reserved ahead: never less than the stored records.
    expect((taken[0]?.taken ?? 0) >= 1 && (taken[1]?.taken ?? 0) >= crowd - 1).toBe(true)
    expect(await violations(place.id, {})).toEqual([])
  })
})

describe('the number of a new client', () => {
  const numbersOf = async (place: { id: typeof merchant }) =>
    (await query({ pk: partition('client', { merchant: place.id }) })).map(({ number }) => number).toSorted()
  const newPlace = () => newCellar('Kellerei Zähler', ['invoice'])
  const order = (place: typeof shop, n: number, more: object = {}) =>
    place.call('orders/add', {
      data: {
        payment_type: 'invoice',
        billing: guest(`zaehler${n}@example.org`),
        items: itemsOf(place, { riesling: 1 }),
      },
      ...more,
    })
  const register = (place: typeof shop, n: number) =>
    place.call('clients/register', { data: { mail: `konto${n}@example.org`, password: 'x' } })

  test('is unique for a merchant, with any number of concurrent orders and registrations', async () => {
    const place = await newPlace()
    const asked = counted(crowd / 2).flatMap(n => [order(place, n), register(place, n)])
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200))
    const numbers = await numbersOf(place)
    expect(new Set(numbers).size).toBe(asked.length)
    for (const number of numbers) expect(number).toMatch(/^K-1\d{3}$/)
    expect(await violations(place.id, {})).toEqual([])
  })

  test('follows those of files, imported before or later, and leaves others unchanged', async () => {
    const place = await newPlace()
    const before = await newClient(place, { number: 'K115649917536658' })
    const bring = (...numbers: string[]) =>
      importRecords(
        place.id,
        clientKind,
        numbers.map(number => ({ number, last_name: 'Datei' })),
      )
    await bring('K-1006', 'K-7', '4711')
    await order(place, 1)
    await bring('K-1020')
    await bring('K-1011')
    await register(place, 1)
    const known = [before.number, 'K-1006', 'K-7', '4711', 'K-1020', 'K-1011']
    expect(await numbersOf(place)).toEqual([...known, 'K-1007', 'K-1021'].toSorted())
  })

  test('is not drawn for an order that is refused or only priced', async () => {
    const place = await newPlace()
    const preview = (await order(place, 1, { dry_run: 1 })).json.data
    expect(preview.client).toMatchObject({ number: null, last_name: 'Gast' })
    const data = { payment_type: 'invoice', billing: guest('zaehler@example.org'), items: itemsOf(place, { gone: 1 }) }
    expect((await place.call('orders/add', { data })).status).toBe(422)
    expect((await order(place, 1)).json.data.client.number).toBe('K-1001')
  })
})

describe('the orders of a client', () => {
  const buying = async () => {
    const account = await newAccount(shop)
    const orders: Json[] = []
    for (let n = 0; n < 3; n++) orders.push(await add({ billing_id: account.id, client_remark: `${n}` }))
    return { account, orders: orders.toReversed() }
  }

  test('are listed in pages, the newest first, with the sold items, and without those of others', async () => {
    const { account, orders } = await buying()
    const others = await buying()
    // An order of a guest with its mail is among them.
    orders.unshift(await add({ billing: guest(account.mail) }))
    const { json } = await account.call('clients/orders/getAll')
    expect(json).toMatchObject({ totalCount: 4, pages: { current: 1, total: 1, size: 16 } })
    expect(json.data.map(({ id }: Json) => id)).toEqual(orders.map(({ id }) => id))
    expect(json.data[0]).toMatchObject({ billing: { mail: account.mail }, positions: [{ quantity: 2 }] })
    const page = (await account.call('clients/orders/getAll', { page: '2', pageSize: 3, include: '' })).json
    expect(page).toMatchObject({ totalCount: 4, pages: { current: 2, total: 2, size: 3 } })
    expect(page.data.map(({ id }: Json) => id)).toEqual([orders[3]?.id])
    expect((await account.call('clients/orders/getAll', { start: 1, pageSize: 2 })).json).toMatchObject({
      data: [{ id: orders[1]?.id }, { id: orders[2]?.id }],
      pages: { next: { start: 3 } },
    })
    for (const route of ['clients/orders/get', 'orders/get']) {
      const [own] = orders
      expect((await account.call(route, { uuid: own.uuid })).json.data).toMatchObject({ id: own.id, positions: [{}] })
      for (const name of [{ id: others.orders[0].id }, { uuid: others.orders[0].uuid }, { id: 2 ** 40 }]) {
        const { status, json } = await account.call(route, name)
        expect([route, status, json.error]).toEqual([route, 404, 'order_not_found'])
      }
      expect((await account.call(route, {})).json.error).toBe('missing_identifier')
      const both = { id: others.orders[0].id, uuid: own.uuid }
      expect((await account.call(route, both)).json.error).toBe('identifier_conflict')
    }
  })

  test('show only its own of a wine’s prices for price ranges', async () => {
    const account = await newAccount(shop)
    await add({ billing_id: account.id })
    const [listed] = (await account.call('clients/orders/getAll')).json.data
    const read = ['clients/orders/get', 'orders/get'].map(route => account.call(route, { id: listed.id }))
    const orders = [listed, ...(await Promise.all(read)).map(({ json }) => json.data)]
    expect(orders.map(({ positions }) => positions[0].item.prices)).toEqual([[], [], []])
    await updateItem(key('client', { merchant, id: account.id }), { set: { price_range_id: shop.gastronomy } })
    const { id, mail, password } = account
    const again = await signedIn(shop, { mail, password })
    expect((await again.call('clients/orders/getAll')).json.data[0].positions[0].item.prices).toMatchObject([
      { price_range_id: shop.gastronomy },
    ])
    // The merchant sees all prices.
    const [order] = (await shop.call('orders/getAll', { pageSize: 1, include: 'items' })).json.data
    expect([order.client_id, order.positions[0].item.prices]).toMatchObject([id, [{ price_range_id: shop.gastronomy }]])
  })

  test('stay in their list when they change, and unchanged when the client changes', async () => {
    const { account, orders } = await buying()
    const [last] = orders
    await account.call('clients/edit', { data: { last_name: 'Anders', city: 'Anderswo', mail: `neu-${account.mail}` } })
    const read = async () => (await account.call('clients/orders/get', { id: last.id })).json.data
    const { documents, ...before } = await read()
    expect(before).toMatchObject({ client: last.client, billing: last.billing, delivery: last.delivery })
    expect((await shop.call('orders/checkout/cancel', { id: last.id })).status).toBe(200)
    const listed = (await account.call('clients/orders/getAll')).json.data
    expect(listed.map(({ id, status }: Json) => [id, status])[0]).toEqual([last.id, 'cancelled'])
    expect(listed).toHaveLength(3)
    expect(await read()).toMatchObject({ client: last.client, status: 'cancelled' })
  })

  test('include those of releases without lists, after the operator’s command', async () => {
    const { account, orders } = await buying()
    const [last] = orders
    await updateItem(key('order', { merchant, id: last.id }), { index: null })
    const listed = async () => (await account.call('clients/orders/getAll')).json.data.map(({ id }: Json) => id)
    expect(await listed()).toEqual(orders.slice(1).map(({ id }) => id))
    expect([await listOrdersOfClients(merchant), await listOrdersOfClients(merchant)]).toEqual([1, 0])
    expect(await listed()).toEqual(orders.map(({ id }) => id))
  })

  test('are an empty list for a client without orders', async () => {
    const account = await newAccount(shop)
    expect((await account.call('clients/orders/getAll')).json).toMatchObject({
      data: [],
      totalCount: 0,
      pages: { current: 1, total: 1 },
    })
  })
})

describe('prices', () => {
  const range = { price_range_id: shop.gastronomy, priceRangeName: 'Gastronomie', gross: '7.50' }

  test('for a signed-in client are those of its price range, and for no other request', async () => {
    const plain = await newAccount(shop)
    const agreed = await newAccount(shop)
    await updateItem(key('client', { merchant, id: agreed.id }), { set: { price_range_id: shop.gastronomy } })
    const product = await newProduct(shop, {
      prices: [1, shop.gastronomy].map(price_range_id => ({
        ...{ product_id: 1, price_range_id, priceRangeName: 'x', taxrate: 19 },
        ...{ net: '1.00', tax: '0.19', gross: '1.19' },
      })),
    })
    const uuid = await newBasket(shop, shop.wine.riesling ?? 0, 1)
    const basketItem = { item_type: 'product', item_id: product.id, quantity: 1 }
    await shop.call('baskets/addItem', { uuid, data: basketItem })
    const wine = async (ask: typeof shop.call) =>
      (await ask('wines/get', { id: shop.wine.riesling })).json.data.prices.map(({ gross }: Json) => gross)
    const inBasket = async (ask: typeof shop.call) =>
      (await ask('baskets/get', { uuid })).json.data.basketItems.map(({ item }: Json) => item.prices.length)
    expect([await wine(agreed.call), await wine(plain.call), await wine(shop.call)]).toEqual([['7.50'], [], ['7.50']])
    expect([await inBasket(agreed.call), await inBasket(plain.call), await inBasket(shop.call)]).toEqual([
      [1, 1],
      [0, 0],
      [1, 2],
    ])
    const { json } = await agreed.call('wines/get', { id: shop.wine.riesling })
    expect([json.data.prices[0], json.wine]).toMatchObject([range, json.data])
    const answers = [
      await agreed.call('baskets/editItem', { id: json.data.id, data: { quantity: 1 } }),
      await plain.call('baskets/edit', { uuid, data: { basketItems: [basketItem] } }),
      await agreed.call('baskets/addItem', { uuid, data: basketItem }),
    ]
    expect(answers.map(({ json }) => json.data?.basketItems[0].item.prices.length)).toEqual([undefined, 0, 1])
  })
})

test('clients of orders and registrations have different numbers', async () => {
  const all = await query({ pk: partition('client', { merchant }) })
  const numbers = all.flatMap(({ number }) => number ?? []).filter(number => number !== '4711')
  expect(new Set(numbers).size).toBe(numbers.length)
})
