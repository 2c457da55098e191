import type { Call, Fields } from '../../lib/smoke/walk.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { formToken } from '../../shared/merchants/sessions.ts'
import { slug } from '../../shared/values/slug.ts'
import { itemsOf, newCellar, rows } from '../support/cellar.ts'
import { newProduct, returning } from '../support/checkout.ts'
import { newAccount } from '../support/client-account.ts'
import { type Answer, call, type Json, newClient, newShop } from '../support/harness.ts'
import { walkInProcess } from '../support/smoke-walk.ts'

const canary = 'KANARIENVOGEL'
const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', name: 'Zum Krug' }

// All records of the one merchant contain the canary; of each kind it has more records than the other merchant.
const owner = await newShop(`${canary} GmbH`, ['invoice', 'paypal'])
const other = await newCellar()
const named = ['A', 'B', 'C'].map(letter => `${canary} ${letter}`)
await importWines(
  owner.id,
  rows.map(
    (row, n): WineRow => ({
      ...row,
      name: `${canary} ${n}`,
      description: `${canary}.`,
      public: 0,
      winery: { name: `${canary} ${n}`, freetext: canary },
      categories: named,
      prices: named.map(priceRange => ({ priceRange, gross: '7.50' })),
    }),
  ),
)
const wines: Wine[] = (await owner.call('wines/getAll', { orderBy: 'id' })).json.data
const [wine, lastWine] = [wines[0] as Wine, wines.at(-1) as Wine]
const client = await newClient(owner, { last_name: canary, company: canary })
const ownAddress = { ...home, company: canary, client_id: client.id }
const address = (await owner.call('addresses/add', { data: ownAddress })).json.data
const item = { item_type: 'wine', item_id: wine.id, quantity: 1 }
const orderOf = () => owner.call('orders/add', { data: { billing_id: client.id, items: [item], note: canary } })
const orders = [await orderOf(), await orderOf(), await orderOf()].map(({ json }): Json => json.data)
const order = orders.at(-1)

const person = await newClient(other)
const items = itemsOf(other, { riesling: 1 })
const place = (await other.call('addresses/add', { data: home })).json.data
const ownOrder = (await other.call('orders/add', { data: { billing_id: person.id, items } })).json.data
const basket = (await other.call('baskets/add')).json.data
const foreignBasket = (await owner.call('baskets/add')).json.data
const filled = (await owner.call('baskets/addItem', { uuid: foreignBasket.uuid, data: item })).json.data
const newWine = { name: 'Neu', type: 'red', countrycode: 'de', region: 1003 }

const uuid = { foreign: order.uuid, unknown: '5f0e7a50-0000-4000-8000-0123456789ab' }
const ids = (foreign: number) => ({ foreign, unknown: 2 ** 52 + 1 })
const clients = ids(client.id)
const addresses = ids(address.id)
const orderIds = ids(order.id)
const wineIds = ids(wine.id)
const wineries = ids(lastWine.winery_id ?? 0)
const categories = ids(Math.max(...wine.categoryIds))
const priceRanges = ids(Math.max(...wine.prices.map(({ price_range_id }) => price_range_id)))
const slugs = { foreign: wine.path_segment, unknown: 'kein-solcher-wein' }
const categorySlugs = { foreign: slug(named[2] ?? ''), unknown: 'keine-solche-kategorie' }
const baskets = { foreign: foreignBasket.uuid, unknown: uuid.unknown }
const basketItems = ids(filled.basketItems[0].id)
const winerySlugs = { foreign: slug(`${canary} 1`), unknown: 'kein-solches-weingut' }
const product = await newProduct(owner, { id: 7001, name: canary, path_segment: 'kanarienvogel' })
const products = ids(product.id)
const parcels = [1, 2, 3].map(min_bottles => ({ min_bottles, max_bottles: min_bottles, gross: '1.19', taxrate: 19 }))
for (const data of parcels) await owner.call('packages/add', { data })
const packages = ids(parcels.length)
const productSlugs = { foreign: 'kanarienvogel', unknown: 'kein-solches-produkt' }
const paying = await owner.call('orders/add', {
  data: { billing_id: client.id, items: [item], payment_type: 'paypal', ...returning },
})
const payments = { foreign: paying.json.payment.uuid, unknown: uuid.unknown }
const externalIds = { foreign: paying.json.payment.external_id, unknown: 'SBXUNKNOWN' }

const account = await newAccount(owner, { last_name: canary })
const ownAccount = await newAccount(other)
const { hash } = (await owner.call('clients/getPasswordHash', account)).json.data
const mails = { foreign: account.mail, unknown: 'niemand@example.org' }
const hashes = { foreign: hash, unknown: hash.replaceAll(/[0-8]/g, '9') }

type Named = { foreign: unknown; unknown: unknown }
type Case = [route: string, field: string, named: Named, body: (one: unknown) => object]

const cases: Case[] = [
  ['addresses/edit', 'id, with a client', addresses, one => ({ id: one, data: { client_id: person.id } })],
  ['addresses/edit', 'data.client_id', clients, one => ({ id: place.id, data: { client_id: one } })],
  ['orders/get', 'id', orderIds, one => ({ id: one })],
  ['orders/get', 'uuid, beside an own id', uuid, one => ({ id: ownOrder.id, uuid: one })],
  [
    'orders/add',
    'data.billing_id of an address',
    addresses,
    one => ({ data: { billing_type: 'address', billing_id: one, items } }),
  ],
  [
    'orders/add',
    'data.delivery_id of a client',
    clients,
    one => ({ data: { billing_id: person.id, delivery_id: one, items } }),
  ],
  ['orders/add', 'data.client_id', clients, one => ({ data: { client_id: one, billing: home, items } })],
  ['orders/add', 'data.basket_uuid', baskets, one => ({ data: { billing_id: person.id, basket_uuid: one } })],
  ['orders/add', 'data.basket', baskets, one => ({ data: { billing_id: person.id, basket: one } })],
  ['orders/checkout/cancel', 'id', orderIds, one => ({ id: one })],
  ['wines/get', 'path_segment', slugs, one => ({ path_segment: one })],
  ['wines/get', 'path_segment, beside an own id', slugs, one => ({ id: other.wine.riesling, path_segment: one })],
  ['wines/edit', 'data.winery_id', wineries, one => ({ id: other.wine.secco, data: { winery_id: one } })],
  ['wines/edit', 'data.origin_id', wineIds, one => ({ id: other.wine.secco, data: { origin_id: one } })],
  ['wines/edit', 'data.categoryIds', categories, one => ({ id: other.wine.secco, data: { categoryIds: [one] } })],
  [
    'wines/edit',
    'data.prices',
    priceRanges,
    one => ({ id: other.wine.secco, data: { prices: [{ price_range_id: one, gross: '1.00' }] } }),
  ],
  ['wines/add', 'data.winery_id', wineries, one => ({ data: { ...newWine, winery_id: one } })],
  ['wines/add', 'data.origin_id', wineIds, one => ({ data: { ...newWine, origin_id: one } })],
  ['wines/add', 'data.categoryIds', categories, one => ({ data: { ...newWine, categoryIds: [one] } })],
  [
    'wines/rollOver',
    'data.winery_id',
    wineries,
    one => ({ id: other.wine.secco, vintage: 2030, data: { winery_id: one } }),
  ],
  [
    'wines/rollOver',
    'data.categoryIds',
    categories,
    one => ({ id: other.wine.secco, vintage: 2030, data: { categoryIds: [one] } }),
  ],
  ['wines/getAll', 'filter.winery_id', wineries, one => ({ filter: { winery_id: one } })],
  ['wines/getAll', 'filter.categoryIds', categories, one => ({ filter: { categoryIds: [one] } })],
  ['wines/search', 'query.categoryIds', categories, one => ({ query: { categoryIds: one } })],
  ['wines/search', 'filter.path_segment', slugs, one => ({ filter: { path_segment: one } })],
  ['wines/getByCategory', 'path_segment', categorySlugs, one => ({ path_segment: one })],
  ['categories/get', 'path_segment', categorySlugs, one => ({ path_segment: one })],
  ['categories/getWines', 'path_segment', categorySlugs, one => ({ path_segment: one })],
  ['categories/getWithWines', 'path_segment', categorySlugs, one => ({ path_segment: one })],
  ['wineries/get', 'path_segment', winerySlugs, one => ({ path_segment: one })],
  ['products/get', 'path_segment', productSlugs, one => ({ path_segment: one })],
  ['products/getAll', 'filter.tags of a category', categories, one => ({ filter: { tags: { id: one } } })],
  ['products/getAll', 'filter.tags by its slug', categorySlugs, one => ({ filter: { tags: { path_segment: one } } })],
  ['orders/touch', 'id', orderIds, one => ({ id: one })],
  ['checkouts/cancel', 'id', orderIds, one => ({ id: one })],
  ['clients/orders/get', 'id', orderIds, one => ({ id: one })],
  ['payments/execute', 'uuid, the external id', externalIds, one => ({ uuid: one })],
]

const recordsOf = async (shop: typeof owner) => ({
  wines: (await shop.call('wines/getAll', { orderBy: 'id', pageSize: 100 })).json.data,
  addresses: (await shop.call('addresses/getAll')).json.data,
  orders: (await shop.call('orders/getAll', { include: 'items,documents' })).json.data,
})
const before = [await recordsOf(owner), await recordsOf(other)]
afterAll(async () => {
  expect([await recordsOf(owner), await recordsOf(other)]).toEqual(before)
})

const signedIn = ({ token }: { token: string }) => ({ 'client-authorization': token })

const comparableOf = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'date'),
})

/** Compares the answer about another merchant's record with that about an unknown one. */
const holdsNothing = (foreign: Answer, unknown: Answer): void => {
  expect(comparableOf(foreign)).toEqual(comparableOf(unknown))
  expect(foreign.text).not.toContain(canary)
  expect([200, 400, 404, 422]).toContain(foreign.status)
  if (foreign.status === 200) expect([[], false]).toContainEqual(foreign.json.data)
}

test.each(cases)("%s answers another merchant's %s like an unknown one", async (route, _, one, body) => {
  const headers = { 'x-request-id': 'same', ...(route.startsWith('clients/orders') && signedIn(ownAccount)) }
  const send = (value: unknown) => other.call(route, body(value), { headers })
  holdsNothing(await send(one.foreign), await send(one.unknown))
})

// The names of fields by which requests refer to a record, some after the resource of their route.
const namedBy: Readonly<Record<string, Named>> = {
  ...{ 'addresses.id': addresses, 'wines.id': wineIds, 'categories.id': categories, 'wineries.id': wineries },
  ...{
    'files.id': wineIds,
    'products.id': products,
    'packages.id': packages,
    'priceRanges.id': priceRanges,
    'baskets.id': basketItems,
    'baskets.uuid': baskets,
    'payments.uuid': payments,
  },
  ...{ path_segment: slugs, uuid, order_id: uuid, payment_id: payments, basket_uuid: baskets, item_id: wineIds },
  wine_id: wineIds,
  ...{ client_id: clients, billing_id: clients, delivery_id: addresses, mail: mails, hash: hashes },
}

const apart = new Set([
  // The basket shows its content: see below.
  ...['baskets/addItem item_id', 'baskets/edit item_id'],
  // A mail is separate for each merchant; a one-time token for an unknown one is invalid.
  ...['clients/register mail', 'clients/getPasswordHash mail'],
  // The new product's own, whatever another merchant's is.
  'products/add path_segment',
  // A provider's id of a payment is valid only for the order in the same request.
  ...['orders/checkout/finish external_id', 'orders/checkout/finish payer_id'],
])

const leavesIn = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) => leavesIn(one, [...path, name]))
    : [path]

const withLeaf = (fields: Fields, path: readonly string[], value: unknown): Json => {
  const changed: Json = structuredClone(fields)
  const record = path.slice(0, -1).reduce((at, name) => at[name], changed)
  record[path.at(-1) ?? ''] = value
  return changed
}

test("each record in the requests of the walk is like an unknown one if it is another merchant's", async () => {
  const walker = await newShop('Kellerei Rundgang', ['invoice', 'paypal'])
  const asked = new Set<string>()
  /** Repeats the request for each field that names a record, with another merchant's and an unknown one. */
  const onCall = async ({ route: { path }, fields, request }: Call): Promise<void> => {
    const { 'idempotency-key': _, ...headers } = { ...request.headers, 'x-request-id': 'same' } as Json
    const named = (headers.authorization ? leavesIn(fields) : []).filter(leaf =>
      /(^|_)(id|uuid|hash|mail|segment)$/.test(leaf.at(-1) ?? ''),
    )
    for (const leaf of named) {
      const [route, field] = [path.replace('/service/', ''), leaf.at(-1) ?? '']
      if (apart.has(`${route} ${field}`)) continue
      const one = namedBy[`${route.split('/')[0]}.${field}`] ?? namedBy[field]
      if (!one) throw new Error(`say in namedBy which of another merchant's records ${route} may name by ${field}`)
      asked.add(`${route} ${leaf.join('.')}`)
      const send = (value: unknown) => call(path, withLeaf(fields, leaf, value), { headers })
      holdsNothing(await send(one.foreign), await send(one.unknown))
    }
  }
  expect(await walkInProcess(walker, { onCall })).toEqual([])
  expect(asked.size).toBeGreaterThan(50)
})

test("the token of another merchant's client is like an unknown one on every route", async () => {
  const unknown = { token: formToken('wkc', `${owner.id.toString(16)}x${account.id.toString(16)}`) }
  const taking = routes
    .filter(({ client }) => client === 'narrows' || client === 'required')
    .map(({ path }) => path.replace('/service/', ''))
  expect(taking.length).toBeGreaterThan(15)
  for (const route of taking) {
    const send = (one: { token: string }) =>
      other.call(route, {}, { headers: { 'x-request-id': 'same', ...signedIn(one) } })
    const [foreign, none] = [await send(account), await send(unknown)]
    expect([route, foreign.status, foreign.json.error]).toEqual([route, 401, 'client_token_invalid'])
    expect(comparableOf(foreign)).toEqual(comparableOf(none))
  }
})

test("another merchant's wine is unknown to a basket", async () => {
  const put = async (route: string, item_id: unknown) => {
    const data = { ...items[0], item_id }
    const { status, json, text } = await other.call(`baskets/${route}`, {
      uuid: basket.uuid,
      data: route === 'edit' ? { basketItems: [data] } : data,
    })
    expect(text).not.toContain(canary)
    return { status, shown: json.data?.basketItems.at(-1).item, error: json.error }
  }
  for (const route of ['addItem', 'edit']) {
    expect(await put(route, wineIds.foreign)).toEqual(await put(route, wineIds.unknown))
  }
})

test("no list, search or order of one merchant contains a word of another merchant's records", async () => {
  const answers = [
    await other.call('check/login'),
    await other.call('orders/getAll', { include: 'client,billing,delivery,items,documents,user', pageSize: 100 }),
    await other.call('orders/get', { id: ownOrder.id, include: 'client,billing,delivery,items,documents,user' }),
    await other.call('addresses/getAll'),
    await other.call('wines/getAll', { pageSize: 100, qrcodes: 1 }),
    await other.call('wines/search', { query: canary.toLowerCase() }),
    await other.call('wines/search', { query: { name: canary } }),
    await other.call('wines/getByType', { type: 'white', max: 100 }),
    await other.call('wines/getAll', { cluster: ['categories', 'winery', 'place', 'path_segment'] }),
    await other.call('categories/getAll'),
    await other.call('wineries/getAll'),
    await other.call('products/getAll'),
    await other.call('packaging/getAll'),
    await other.call('customers/getMy'),
    await call('/wines/getAll', { query: canary }),
    await call('/wines/getFilters', { filter: ['place', 'type', 'winery_id'] }),
  ]
  for (const { text } of answers) expect(text.toUpperCase()).not.toContain(canary)
})

test('a session token with another credential is refused', async () => {
  const secret = Buffer.from(other.token.split('_')[2] ?? '', 'hex')
  const token = formToken('wks', owner.tokenId, secret)
  for (const route of ['check/login', 'addresses/getAll', 'orders/getAll', 'wines/getAll']) {
    const { status, json } = await other.call(route, {}, { token })
    expect([status, json.error]).toEqual([401, 'token_invalid'])
  }
})

test('merchants that call the same process concurrently get their own records', async () => {
  const shops = [owner, other, owner, other, owner, other, owner, other]
  const answers = await Promise.all(shops.map(shop => shop.call('wines/getAll', { pageSize: 100 })))
  answers.forEach(({ json }, n) => {
    const owners = new Set(json.data.map(({ customers_id }: Wine) => customers_id))
    expect([...owners]).toEqual([shops[n]?.id])
  })
})
