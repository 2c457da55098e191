import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { routes } from '../../shared/contract/index.ts'
import recorded from '../../shared/http/reference/examples.json' with { type: 'json' }
import { finishing, visit } from '../support/checkout.ts'
import { type Answer, call, type Json, newShop, twin } from '../support/harness.ts'

// The examples of the reference, in the order in which a shop might send them; UPDATE=1 writes them down anew. What they
// change is the first demo merchant's, whose orders, baskets and addresses no other test looks at.

type Step = {
  route: string
  name: string
  request: Record<string, unknown>
  answer?: unknown
}

// Each route is asked for the first time here, so that its function starts.
const patience = 60_000

const file = join(import.meta.dirname, '../../shared/http/reference/examples.json')
const steps: Step[] = []

const { authid, token: apiToken } = credentialsOf('elbufer')
const returning = { return_url: 'https://shop.example/done', cancel_url: 'https://shop.example/cancelled' }
const ada = {
  gender: 'f',
  first_name: 'Ada',
  last_name: 'Beispiel',
  address: 'Am Hang 3',
  zip: '01067',
  city: 'Dresden',
  countrycode: 'de',
  mail: 'ada@example.org',
}

let session = ''
let client = ''

const pathOf = (route: string, request: Record<string, unknown>): string =>
  route.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(request[name])))

const queryOf = (route: string, request: Record<string, unknown>): string => {
  const told = Object.entries(request).filter(([name]) => !route.includes(`{${name}}`))
  if (told.length === 0) return ''
  const written = told.map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  return `?${new URLSearchParams(written)}`
}

type Sending = { token?: string; as?: 'client'; method?: 'GET'; status?: number; isLong?: boolean }

/** Sends a request of the reference and notes it with its answer. */
const example = async (
  route: string,
  name: string,
  request: Record<string, unknown> = {},
  { token = session, as, method, status = 200, isLong = false }: Sending = {},
): Promise<Json> => {
  const options = {
    ...(route.startsWith('/service/') && token && { token }),
    ...(method && { method }),
    ...(as === 'client' && { headers: { 'client-authorization': client } }),
  }
  const path = pathOf(route, request) + (method === 'GET' ? queryOf(route, request) : '')
  const answer: Answer = await call(path, request, options)
  if (answer.status !== status) throw new Error(`${route} answers ${answer.status} ${answer.text}`)
  steps.push({ route, name, request, ...(answer.json !== undefined && !isLong && { answer: answer.json }) })
  return answer.json
}

// A token of a machine that is gone helps nobody, and looks as if it did.
const masked = (text: string): string =>
  text
    .replaceAll(twin.url, 'http://localhost:3000')
    .replaceAll(twin.url.replace('127.0.0.1', 'localhost'), 'http://localhost:3000')
    .replace(/"wk([sc])_[^"]+"/g, '"wk$1_3f9a27c1_5b0c…"')
    .replace(/"hash":"[^"]+"/g, '"hash":"8d1f…"')
    .replace(/"lostpassword_hash":"[^"]+"/g, '"lostpassword_hash":"8d1f…"')

/** The kind of a value, through lists and objects; of a list that of its first element. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
  return value === null ? null : typeof value
}

const keysOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).toSorted() : typeof value

describe('the examples of the reference', () => {
  test(
    'are what the service answers: signing in, the merchant, what it sells',
    async () => {
      const login = await example('/service/login', 'A session of 12 hours', { authid, token: apiToken })
      session = login.token
      await example('/service/check/login', 'Whose session it is')
      await example('/service/customers/getMy', 'The merchant')
      await example('/service/customers/availablePayments', 'The ways to pay')
      const list = await example('/service/wines/getAll', 'The dearest wine of the shop, with facets', {
        inshop: 1,
        pageSize: 1,
        orderBy: 'gross DESC',
        cluster: ['type', 'countrycode'],
      })
      const [wine] = list.data
      await example('/service/wines/search', 'A text, among German wines', {
        query: 'riesling',
        filter: { countrycode: 'de' },
        pageSize: 1,
      })
      await example('/service/wines/get', 'A wine by its name in URLs', { path_segment: wine.path_segment, inshop: 1 })
      await example('/service/wines/getByType', 'The first red wine', { type: 'red', max: 1 })
      await example('/service/wines/getExpertise', 'Where its PDF is', { id: wine.id })
      const { data: categories } = await example('/service/categories/getAll', 'All categories')
      const [category] = categories
      await example('/service/categories/get', 'A category', { id: category.id })
      await example('/service/categories/getWines', 'Its wines', { id: category.id, pageSize: 1 })
      await example('/service/categories/getWithWines', 'Its wines, and the category', { id: category.id, pageSize: 1 })
      await example('/service/wines/getByCategory', 'Its wines, by the older route', { id: category.id, pageSize: 1 })
      const { data: wineries } = await example('/service/wineries/getAll', 'The first winery', { pageSize: 1 })
      await example('/service/wineries/get', 'A winery', { id: wineries[0].id })
      const { data: products } = await example('/service/products/getAll', 'What there is beside wine', { pageSize: 1 })
      await example('/service/products/get', 'A product', { id: products[0].id })
      await example('/service/packaging/getAll', 'The packages')
      await example('/service/packaging/find', 'What sending six bottles costs', { bottles: 6, gross: '59.40' })
    },
    patience,
  )

  test(
    'are what the service answers: what anybody may see',
    async () => {
      const { data } = await example('/wines/search', 'A text', { query: 'barolo', pageSize: 1 }, { method: 'GET' })
      await example('/wines/getAll', 'By country', { filter: { countrycode: 'at' }, pageSize: 1 }, { method: 'GET' })
      await example('/wines/getFilters', 'What can be filtered', { filter: 'type,countrycode' }, { method: 'GET' })
      await example('/wines/getPublic', 'A wine', { id: data[0].id }, { method: 'GET' })
      const [, , id, name] = data[0].expertisePdf.split('/')
      const link = { method: 'GET', status: 302 } as const
      await example('/wines/downloadExpertise', 'Its PDF', { wineId: id, expertiseFileName: name }, link)
      await example('/PDF/{id}/{file}', 'Its PDF', { id, file: name }, { method: 'GET' })
      const [, , kind, imageId, image] = data[0].image.split('/')
      await example(
        '/Images/{kind}/{id}/{file}',
        'Its picture, small',
        { kind, id: imageId, file: image, height: 300 },
        { method: 'GET' },
      )
      await example(
        '/localization/{language}',
        'All tables in German',
        { language: 'de' },
        { method: 'GET', isLong: true },
      )
      await example(
        '/localization/{language}/{table}',
        'Tastes in English',
        { language: 'en', table: 'tastes' },
        { method: 'GET' },
      )
      await example('/openapi.json', 'This document', {}, { method: 'GET', isLong: true })
      await example('/docs', 'The reference', {}, { method: 'GET' })
      await example('/docs-assets/{file}', 'Its styles', { file: 'page.css' }, { method: 'GET' })
      await example('/weinkontor-client.tgz', 'The typed client', {}, { method: 'GET' })
    },
    patience,
  )

  test(
    'are what the service answers: baskets, orders and payments',
    async () => {
      const wines = { inshop: 1, filter: { type: 'red' }, orderBy: 'nostock ASC, gross ASC', pageSize: 2 }
      const { json } = await call('/service/wines/getAll', wines, { token: session })
      const [first, second] = json.data
      const { data: basket } = await example('/service/baskets/add', 'An empty basket')
      const { uuid } = basket
      const item = { item_type: 'wine', item_id: first.id, quantity: 3 }
      const added = await example('/service/baskets/addItem', 'Three bottles', { uuid, data: item })
      const { id } = added.data.basketItems[0]
      await example('/service/baskets/editItem', 'Six of them', { id, data: { quantity: 6 } })
      await example('/service/baskets/deleteItem', 'None of them', { id })
      await example('/service/baskets/edit', 'Other items', { uuid, data: { basketItems: [{ ...item, quantity: 2 }] } })
      await example('/service/baskets/get', 'What is in it', { uuid })
      const code = { hash: 'SOMMER', basket_uuid: uuid }
      await example('/service/campaigns/find', 'A discount code that there is not', code, { status: 404 })
      const byHand = { source: 'shop', billing: ada, payment_type: 'invoice', items: [item] }
      await example('/service/orders/add', 'What it would cost, without ordering', { data: byHand, dry_run: 1 })
      const { data: invoiced } = await example('/service/orders/add', 'By invoice, the address typed', { data: byHand })
      await example('/service/orders/get', 'With its positions and documents', {
        uuid: invoiced.uuid,
        include: 'items,documents',
      })
      await example('/service/orders/get', 'With nothing beside', { id: invoiced.id, include: '' })
      await example('/service/orders/getAll', 'The newest', { pageSize: 1 })
      await example('/service/orders/touch', 'It was read', { id: invoiced.id })
      await example('/service/orders/checkout/cancel', 'Cancelled', { uuid: invoiced.uuid })
      const data = { source: 'shop', billing: ada, payment_type: 'paypal', ...returning }
      const opened = await example('/service/orders/add', 'A basket, paid at the provider', {
        data: { ...data, basket: uuid },
      })
      const back = await visit(opened.targetUrl)
      const request = finishing({ json: opened } as Answer, back)
      await example('/service/orders/checkout/finish', 'The buyer has approved', request)
      const again = { ...data, items: [{ ...item, item_id: second.id }] }
      const { json: other } = await call('/service/orders/add', { data: again }, { token: session })
      await example('/service/checkouts/cancel', 'The buyer went back', { uuid: other.data.uuid })
      const { json: third } = await call('/service/orders/add', { data: again }, { token: session })
      await visit(third.targetUrl)
      await example('/service/payments/execute', 'The return page', { uuid: third.payment.uuid })
      const event = { id: 'WH-1', event_type: 'CHECKOUT.ORDER.APPROVED', resource: { id: 'UNKNOWN' } }
      await example('/payments/paypal/webhook', 'An event about nothing of ours', event)
    },
    patience,
  )
})

describe('the examples of the reference, of clients', () => {
  const password = 'correct horse battery staple'
  const mail = `ada-${process.pid}@example.org`

  test(
    'are what the service answers: addresses',
    async () => {
      const address = {
        client_id: 1,
        last_name: 'Lindemann',
        address: 'Elbchaussee 12',
        zip: '22765',
        city: 'Hamburg',
        countrycode: 'de',
      }
      const { data } = await example('/service/addresses/add', 'An address of a client', { data: address })
      await example('/service/addresses/get', 'One address', { id: data.id })
      await example('/service/addresses/edit', 'It moves', { id: data.id, data: { address: 'Elbchaussee 14' } })
      await example('/service/addresses/getByClient', 'Those of a client', { client_id: 1 })
      await example('/service/addresses/getAll', 'Those that goods are sent to', { type: 'shipping', pageSize: 1 })
      await example('/service/addresses/delete', 'It is gone', { id: data.id })
    },
    patience,
  )

  test(
    'are what the service answers: accounts',
    async () => {
      const { data } = await example('/service/clients/register', 'An account', { data: { ...ada, mail, password } })
      await example('/service/clients/validatePasswordHash', 'Is the link still good?', {
        hash: data.lostpassword_hash,
      })
      await example('/service/clients/activate', 'The link was opened', { hash: data.lostpassword_hash })
      await example('/service/clients/exists', 'Is there an account?', { mail })
      const caller = '0f6e2a54-5c0b-4f0e-9a5e-6f1d1c6a2b3d'
      client = (await example('/service/clients/login', 'Signed in', { mail, password, caller })).data.token
      await example('/service/clients/get', 'Who is signed in', {}, { as: 'client' })
      await example('/service/clients/edit', 'A new telephone', { data: { phone: '0351 123456' } }, { as: 'client' })
      const { json } = await call(
        '/service/wines/getAll',
        { inshop: 1, orderBy: 'nostock ASC, gross ASC', pageSize: 1 },
        { token: session },
      )
      const items = [{ item_type: 'wine', item_id: json.data[0].id, quantity: 1 }]
      const order = { client_id: data.id, billing: { ...ada, mail }, payment_type: 'invoice', items }
      const placed = await call('/service/orders/add', { data: order }, { token: session })
      await example('/service/clients/orders/getAll', 'What they ordered', { pageSize: 1 }, { as: 'client' })
      await example('/service/clients/orders/get', 'One order', { uuid: placed.json.data.uuid }, { as: 'client' })
      await example('/service/clients/logout', 'Signed out', {}, { as: 'client' })
      const { data: reset } = await example('/service/clients/getPasswordHash', 'The password is forgotten', { mail })
      await example('/service/clients/resetPassword', 'A new one', { hash: reset.hash, password: `${password}!` })
      await example('/service/logout', 'The session ends')
    },
    patience,
  )

  test(
    'are what the service answers: the catalogue changes',
    async () => {
      const { token } = await newShop('Weingut Beispiel')
      const wine = {
        articlenumber: 'RH-2024-01',
        name: 'Riesling Alte Reben',
        type: 'white',
        countrycode: 'de',
        region: 'Rheinhessen',
        vintage: 2024,
        gross: '12.50',
        taxrate: 19,
        grapetypeIds: ['Riesling'],
        shop: 1,
        public: 1,
      }
      const { data } = await example('/service/wines/add', 'A new wine', { data: wine }, { token })
      await example('/service/wines/edit', 'It costs more', { id: data.id, data: { gross: '13.50' } }, { token })
    },
    patience,
  )
})

describe('the reference', () => {
  test('has an example of every route', () => {
    const told = new Set(steps.map(({ route }) => route))
    const paths = routes.flatMap(({ path, writtenPaths }) => writtenPaths ?? [path])
    expect(paths.filter(path => !told.has(path))).toEqual([])
  })

  test('shows what was answered here; UPDATE=1 writes it down anew', () => {
    const now: Record<string, object[]> = {}
    for (const { route, ...step } of steps) {
      now[route] ??= []
      now[route].push(JSON.parse(masked(JSON.stringify(step))))
    }
    if (process.env.UPDATE) writeFileSync(file, `${JSON.stringify(now, null, 1)}\n`)
    const written = process.env.UPDATE ? now : (recorded as Record<string, Json[]>)
    const outline = (all: Record<string, Json[]>) =>
      Object.fromEntries(
        Object.entries(all).map(([route, list]) => [
          route,
          list.map(({ name, request, answer }) => ({
            name,
            request: shapeOf(request),
            answer: keysOf(answer),
            data: keysOf(answer?.data),
          })),
        ]),
      )
    expect(outline(written)).toEqual(outline(now as Record<string, Json[]>))
  })
})
