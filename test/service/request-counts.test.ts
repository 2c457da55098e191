import { randomUUID } from 'node:crypto'
import { routes } from '../../shared/contract/routes/index.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import {
  finishing,
  newBasket,
  newCheckout,
  newProduct,
  setMerchant,
  setPackages,
  visit,
  whatInvoicesNeed,
} from '../support/checkout.ts'
import { newAccount, signedIn } from '../support/client-account.ts'
import { eventually } from '../support/eventually.ts'
import { type Answer, call, type Json, newClient, newShop, requestsOf } from '../support/harness.ts'
import { pngOf } from '../support/picture-files.ts'
import { colored, pictureOf, uploaded } from '../support/uploads.ts'

const shop = await newCellar()
await setMerchant(shop, whatInvoicesNeed)
const client = await newClient(shop)
const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', name: 'Zum Krug' }
const items = itemsOf(shop, { riesling: 2, juice: 1 })

const newAddress = async (): Promise<Json> =>
  (await shop.call('addresses/add', { data: { ...home, client_id: client.id } })).json.data
const newOrder = async (): Promise<Json> =>
  (await shop.call('orders/add', { data: { billing_id: client.id, items } })).json.data

const address = await newAddress()
const order = await newOrder()
for (let n = 0; n < 3; n++) await newOrder()
const hundred = itemsOf(shop, { riesling: 100 })
const large: Json = (await shop.call('orders/add', { data: { billing_id: client.id, items: hundred } })).json.data
await shop.call('wines/edit', { id: shop.wine.secco, data: { shop: 1 } })
const { path_segment } = (await shop.call('wines/get', { id: shop.wine.riesling })).json.data

const glass = await newProduct(shop, { id: 1, path_segment: 'glas' })
const category = (await shop.call('categories/add', { data: { name: 'Gläser' } })).json.data
await setPackages(shop)
const empty: string = (await shop.call('baskets/add')).json.data.uuid
const filled = await newBasket(shop, shop.wine.riesling ?? 0, 2)

type Counts = Record<string, number>

const difference = (before: Counts, after: Counts): Counts =>
  Object.fromEntries(
    Object.entries(after)
      .map(([operation, count]): [string, number] => [operation, count - (before[operation] ?? 0)])
      .filter(([, count]) => count > 0),
  )
const total = (counts: Counts) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/**
 * The DynamoDB requests of one request to a route. The first try warms the instance up; of the others, the first counts
 * that needs no more than `enough`: requests of other test files to the same function are counted as well.
 */
const requestsFor = async (
  path: string,
  status: number,
  enough: number,
  send: () => Promise<Answer>,
): Promise<Counts> => {
  const one = async (): Promise<Counts> => {
    const before = await requestsOf(path)
    expect((await send()).status).toBe(status)
    return difference(before, await requestsOf(path))
  }
  await one()
  return eventually(one, counts => total(counts) <= enough, 0)
}

const ofCall = (route: string, body: () => object | Promise<object>, enough: number, status = 200) =>
  requestsFor(`/service/${route}`, status, enough, async () => shop.call(route, await body()))

const goods = { item_type: 'wine', item_id: shop.wine.gone }

type Case = [what: string, route: string, body: () => object, expected: Counts]

const cases: Case[] = [
  ['adding an address', 'addresses/add', () => ({ data: home }), { PutItem: 1 }],
  [
    "adding a client's address",
    'addresses/add',
    () => ({ data: { ...home, client_id: client.id } }),
    { TransactWriteItems: 1 },
  ],
  ['editing an address', 'addresses/edit', () => ({ id: address.id, data: { city: 'Pirna' } }), { UpdateItem: 1 }],
  [
    'giving an address to a client',
    'addresses/edit',
    () => ({ id: address.id, data: { client_id: client.id } }),
    { TransactWriteItems: 1, GetItem: 1 },
  ],
  ['reading an address', 'addresses/get', () => ({ id: address.id }), { GetItem: 1 }],
  ['listing addresses', 'addresses/getAll', () => ({}), { Query: 1 }],
  ["listing a client's addresses", 'addresses/getByClient', () => ({ client_id: client.id }), { Query: 1 }],
  [
    'placing an order',
    'orders/add',
    () => ({ data: { billing_id: client.id, items } }),
    { BatchGetItem: 1, TransactWriteItems: 1 },
  ],
  ['reading an order by id', 'orders/get', () => ({ id: order.id }), { BatchGetItem: 1 }],
  ['reading an order by uuid', 'orders/get', () => ({ uuid: order.uuid }), { GetItem: 1, BatchGetItem: 1 }],
  ['the first page of orders', 'orders/getAll', () => ({ pageSize: 2 }), { Query: 1 }],
  ['a later page of orders', 'orders/getAll', () => ({ pageSize: 2, page: 2 }), { GetItem: 1, Query: 1 }],
  [
    'a page of orders with all they sold',
    'orders/getAll',
    () => ({ include: 'client,billing,delivery,items,documents,user' }),
    { Query: 1, BatchGetItem: 1 },
  ],
  ['listing payments that are not settled', 'payments/getOpen', () => ({}), { Query: 2 }],
  ['the stock of some goods', 'stocks/get', () => ({ items: [goods] }), { BatchGetItem: 1 }],
  ['all counted stocks', 'stocks/get', () => ({}), { Query: 2 }],
  [
    'changing a stock',
    'stocks/add',
    () => ({ ...goods, stock: 1000 }),
    { BatchGetItem: 1, TransactWriteItems: 1, GetItem: 1 },
  ],
  [
    'editing the merchant',
    'customers/edit',
    () => ({ data: { www: null } }),
    { GetItem: 1, UpdateItem: 1, BatchGetItem: 1 },
  ],
  ['reading a wine by id', 'wines/get', () => ({ id: shop.wine.riesling }), { BatchGetItem: 1 }],
  ['reading the facts of a wine', 'facts/getAll', () => ({ wine_id: shop.wine.riesling }), { BatchGetItem: 1 }],
  [
    'checking a page of wines that the instance has read before',
    'wines/check',
    () => ({ language: 'de' }),
    { Query: 1, BatchGetItem: 1 },
  ],
  ['reading a wine by path_segment', 'wines/get', () => ({ path_segment }), { GetItem: 1, BatchGetItem: 1 }],
  ['a page of wines that the instance has read before', 'wines/getAll', () => ({}), { Query: 1, GetItem: 1 }],
  ['opening a basket', 'baskets/add', () => ({}), { PutItem: 1 }],
  [
    'placing an order for somebody new',
    'orders/add',
    () => ({ data: { billing: { ...home, last_name: 'Gast' }, payment_type: 'invoice', items } }),
    // The update counts the customer number.
    { BatchGetItem: 1, TransactWriteItems: 1, UpdateItem: 1 },
  ],
  [
    'adding a wine',
    'wines/add',
    () => ({ data: { name: `Wein ${randomUUID()}`, type: 'red', countrycode: 'de', region: 1003 } }),
    { BatchGetItem: 1, UpdateItem: 1, TransactWriteItems: 1 },
  ],
  [
    'adding a product',
    'products/add',
    () => ({ data: { name: `Glas ${randomUUID()}`, gross: '9.90' } }),
    { GetItem: 2, Query: 1, BatchGetItem: 1, TransactGetItems: 1, TransactWriteItems: 1 },
  ],
  [
    'editing a product',
    'products/edit',
    () => ({ id: glass.id, data: { gross: '8.90' } }),
    { GetItem: 1, BatchGetItem: 1, TransactGetItems: 1, TransactWriteItems: 1 },
  ],
  [
    'adding a category',
    'categories/add',
    () => ({ data: { name: randomUUID() } }),
    { GetItem: 2, Query: 1, TransactGetItems: 1, TransactWriteItems: 1 },
  ],
  [
    'editing a category',
    'categories/edit',
    () => ({ id: category.id, data: { sorting: 3 } }),
    { GetItem: 1, Query: 1, TransactGetItems: 1, TransactWriteItems: 1 },
  ],
  [
    'editing a package',
    'packages/edit',
    () => ({ id: 1, data: { gross: '5.95' } }),
    { GetItem: 1, BatchGetItem: 1, TransactGetItems: 1, TransactWriteItems: 1 },
  ],
  [
    'adding a price range',
    'priceRanges/edit',
    () => ({ data: { name: randomUUID() } }),
    { GetItem: 2, Query: 1, TransactGetItems: 1, TransactWriteItems: 1 },
  ],
  ['the price ranges', 'priceRanges/getAll', () => ({}), { Query: 1 }],
  ['checking a session that the instance knows', 'check/login', () => ({}), {}],
  ["what every page of a shop asks for: the merchant's categories", 'categories/getAll', () => ({}), { GetItem: 1 }],
  ['the merchant itself', 'customers/getMy', () => ({}), { BatchGetItem: 1 }],
  ['its ways to pay', 'customers/availablePayments', () => ({}), { GetItem: 1 }],
  ['an empty basket', 'baskets/get', () => ({ uuid: empty }), { GetItem: 1 }],
  ['a basket with goods', 'baskets/get', () => ({ uuid: filled }), { GetItem: 1, BatchGetItem: 1 }],
  ['its packaging', 'packaging/find', () => ({ bottles: 2 }), { BatchGetItem: 1 }],
  ['the wineries', 'wineries/getAll', () => ({}), { GetItem: 1 }],
  ['the products', 'products/getAll', () => ({}), { Query: 1, GetItem: 1 }],
  ['wines with their clusters', 'wines/getAll', () => ({ cluster: ['type', 'vintage'] }), { Query: 1, GetItem: 1 }],
  [
    'a link to an invoice that is drawn',
    'orders/getDocument',
    () => ({ id: order.id, document: 'invoice', format: 'pdf' }),
    { BatchGetItem: 1, GetItem: 1 },
  ],
  ['the history of an order', 'orders/history', () => ({ id: order.id }), { GetItem: 1 }],
  [
    'a step of an order that was made before',
    'orders/advance',
    () => ({ id: order.id, event: 'pack' }),
    { BatchGetItem: 1 },
  ],
  [
    'crediting a bottle',
    'orders/credit',
    () => ({ id: large.id, refund: 'none', positions: [{ id: large.positions[0].id, quantity: 1 }] }),
    { BatchGetItem: 1, TransactWriteItems: 1 },
  ],
  ['marking an order as read', 'orders/touch', () => ({ id: order.id }), { GetItem: 1, TransactWriteItems: 1 }],
]

test('adding an item to a basket reads basket and goods, writes, and shows the basket', async () => {
  const data = { item_type: 'wine', item_id: shop.wine.riesling, quantity: 1 }
  const add = () => ({ uuid: filled, data })
  expect(await ofCall('baskets/addItem', add, 4)).toEqual({ GetItem: 1, BatchGetItem: 2, TransactWriteItems: 1 })
})

test.each(cases)('%s costs the minimum of requests', async (_, route, body, expected) => {
  expect(await ofCall(route, body, total(expected))).toEqual(expected)
})

const account = await newAccount(shop)
await shop.call('orders/add', { data: { billing_id: account.id, items } })
const { mail, password } = account
const guest = { ...home, last_name: 'Gast', mail }

const ofClients: Case[] = [
  ['asking whose a mail is', 'clients/exists', () => ({ mail }), { GetItem: 1, BatchGetItem: 1 }],
  [
    'signing a client in',
    'clients/login',
    () => ({ mail, password }),
    { GetItem: 1, BatchGetItem: 1, PutItem: 1, UpdateItem: 2 },
  ],
  [
    'a hash for a forgotten password',
    'clients/getPasswordHash',
    () => ({ mail }),
    { GetItem: 1, BatchGetItem: 1, PutItem: 1 },
  ],
  ['reading a client', 'clients/get', () => ({}), { GetItem: 1 }],
  ['a client who edits itself', 'clients/edit', () => ({ data: { city: 'Pirna' } }), { UpdateItem: 1 }],
  ["a page of a client's orders", 'clients/orders/getAll', () => ({}), { Query: 1, BatchGetItem: 1 }],
  ['a wine for a client', 'wines/get', () => ({ id: shop.wine.riesling }), { BatchGetItem: 1 }],
  [
    'placing an order for a client who is signed in',
    'orders/add',
    () => ({ data: { billing: guest, payment_type: 'invoice', items } }),
    { BatchGetItem: 1, TransactWriteItems: 1 },
  ],
]

test.each(ofClients)('%s costs the minimum of requests', async (_, route, body, expected) => {
  const isRefused = routes.find(({ path }) => path === `/service/${route}`)?.client === 'refused'
  const send = () => (isRefused ? shop : account).call(route, body())
  expect(await requestsFor(`/service/${route}`, 200, total(expected), send)).toEqual(expected)
})

test('placing an order for a guest of a known mail costs the minimum of requests', async () => {
  const order = () => ({ data: { billing: guest, payment_type: 'invoice', items } })
  expect(await ofCall('orders/add', order, 3)).toEqual({ GetItem: 1, BatchGetItem: 1, TransactWriteItems: 1 })
})

test('a token of a client that is not cached costs one request more', async () => {
  const send = async () => (await signedIn(shop, account)).call('clients/get')
  expect(await requestsFor('/service/clients/get', 200, 2, send)).toEqual({ GetItem: 1, BatchGetItem: 1 })
})

test('deleting an address makes one request to the table', async () => {
  const body = async () => ({ id: (await newAddress()).id })
  expect(await ofCall('addresses/delete', body, 1)).toEqual({ DeleteItem: 1 })
})

test('a package is added and deleted by a change of the list of packages', async () => {
  const other = await newShop()
  let last = 0
  const add = () =>
    other.call('packages/add', { data: { min_bottles: ++last, max_bottles: last, gross: '0.00', taxrate: 19 } })
  const expected = { GetItem: 1, BatchGetItem: 1, TransactGetItems: 1, TransactWriteItems: 1 }
  expect(await requestsFor('/service/packages/add', 200, 4, add)).toEqual(expected)
  const remove = async () => other.call('packages/delete', { id: (await add()).json.data.id })
  expect(await requestsFor('/service/packages/delete', 200, 4, remove)).toEqual(expected)
})

test('a decision about a payment reads it and its order, changes both in one transaction, and reads it again', async () => {
  const { shop: seller, add } = await newCheckout('Kellerei Zählung')
  const { json } = await add()
  const { uuid } = json.payment
  await seller.call('orders/checkout/finish', finishing({ json } as Answer, await visit(json.targetUrl)))
  const place = key('payment', { merchant: seller.id, uuid })
  const decide = async () => {
    await updateItem(place, { set: { returned: 100, undecided: 100 } })
    return seller.call('payments/decide', { uuid, decision: 'accept' })
  }
  const expected = { GetItem: 4, BatchGetItem: 1, TransactWriteItems: 1 }
  expect(await requestsFor('/service/payments/decide', 200, 6, decide)).toEqual(expected)
})

test('an upload is opened by one write, committed by one transaction, and a repeat only reads', async () => {
  const bodyOf = (bytes: Buffer) => pictureOf(shop.wine.riesling ?? 0, bytes)
  const png = await pngOf(colored())
  expect(await ofCall('files/add', () => bodyOf(png), 2)).toEqual({ GetItem: 1, PutItem: 1 })
  const newFile = async () => {
    const bytes = await pngOf({ width: 9, height: 9, ...colored() })
    return { file: await uploaded(shop, bodyOf(bytes), bytes) }
  }
  const commits = await ofCall('files/commit', newFile, 9)
  // The picture is stored as it is shown, and as expertise sheets show it.
  const ofFiles = { 's3:GetObject': 1, 's3:PutObject': 2, 's3:DeleteObject': 1 }
  expect(commits).toEqual({ GetItem: 2, UpdateItem: 1, BatchGetItem: 1, TransactWriteItems: 1, ...ofFiles })
  const same = await newFile()
  expect(await ofCall('files/commit', () => same, 2)).toEqual({ GetItem: 2 })
})

test('signing in makes two requests to the table', async () => {
  const credential = { authid: shop.authid, token: shop.apiToken }
  const requests = await requestsFor('/service/login', 200, 2, () => call('/service/login', credential))
  expect(requests).toEqual({ GetItem: 1, PutItem: 1 })
})

test('a session that is not cached costs one request more', async () => {
  const login = async () => (await call('/service/login', { authid: shop.authid, token: shop.apiToken })).json.token
  const send = async () => shop.call('check/login', {}, { token: await login() })
  expect(await requestsFor('/service/check/login', 200, 1, send)).toEqual({ BatchGetItem: 1 })
})

test('the next vintage of a wine is one transaction after one read, and a repeat reads both wines', async () => {
  const newVintage = async (): Promise<number> => {
    const data = { name: `Wein ${randomUUID()}`, type: 'red', countrycode: 'de', region: 1003, vintage: 2020 }
    return (await shop.call('wines/add', { data })).json.data.id
  }
  const made = await ofCall('wines/rollOver', async () => ({ id: await newVintage(), vintage: 2021 }), 3)
  expect(made).toEqual({ BatchGetItem: 1, UpdateItem: 1, TransactWriteItems: 1 })
  const same = { id: await newVintage(), vintage: 2021 }
  const repeated = await ofCall('wines/rollOver', () => same, 2)
  expect(repeated).toEqual({ BatchGetItem: 1, GetItem: 1 })
})

test('a malformed request never reaches the table', async () => {
  expect(await ofCall('addresses/add', () => ({ data: {} }), 0, 400)).toEqual({})
  expect(await ofCall('orders/add', () => ({ data: { items: [] } }), 0, 400)).toEqual({})
  const forged = () => shop.call('orders/getAll', {}, { token: `${shop.token}0` })
  expect(await requestsFor('/service/orders/getAll', 401, 0, forged)).toEqual({})
})
