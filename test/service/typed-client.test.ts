import { setTimeout as pause } from 'node:timers/promises'
import {
  type ClientOptions,
  ConnectionError,
  createClient,
  isError,
  type ListPath,
  type Session,
  type WeinkontorError,
} from '../../lib/client/index.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { revokeSession } from '../../lib/tool/merchants.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { person } from '../support/buyer.ts'
import { newCellar } from '../support/cellar.ts'
import { newCheckout, newProduct, returning, setMerchant, setPackages, visit } from '../support/checkout.ts'
import { newAccount } from '../support/client-account.ts'
import { type Json, newClient, newShop, type Shop, twin } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'
import { counted } from '../support/partitions.ts'
import { untilPublished } from '../support/until-published.ts'

/** A fetch that counts requests by path, and loses the first answers of one path after the service processed them. */
const losing = (path = '', answers = 1) => {
  const sent: string[] = []
  let left = answers
  const ask: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    sent.push(pathname)
    const response = await fetch(input, init)
    if (pathname !== path || left-- <= 0) return response
    await response.text()
    throw new TypeError('fetch failed')
  }
  return { fetch: ask, times: (of: string) => sent.filter(one => one === of).length }
}

const clientOf = ({ authid, apiToken: token }: Shop, options: Partial<ClientOptions> = {}) =>
  createClient({ url: twin.url, authid, token, ...options })

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const one of items) all.push(one)
  return all
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    error => error,
  )

const shop = await newCellar('Kellerei Klient', ['invoice'])
const { id: billing_id } = await newClient(shop)
const newOrder = (article = 'secco') => ({
  data: {
    billing_id,
    payment_type: 'invoice' as const,
    items: [{ item_type: 'wine' as const, item_id: shop.wine[article] ?? 0, quantity: 2 }],
  },
})

describe('a shop', () => {
  const client = clientOf(shop)

  test('searches wines, reads one and adds an address', async () => {
    const found = await client.call('/service/wines/search', { query: 'riesling', filter: { countrycode: 'de' } })
    expect(found.data.map(({ name, gross }) => [name, gross])).toEqual([['Riesling Kabinett', '8.90']])
    const { data: wine } = await client.call('/service/wines/get', { id: shop.wine.secco ?? 0 })
    expect(wine.articlenumber).toBe('secco')
    const { gender: _, ...data } = person
    const { data: address } = await client.call('/service/addresses/add', { data })
    expect(address).toMatchObject({ city: 'Dresden', countrycode: 'de', customers_id: shop.id })
  })

  test('gets a refusal with its word, its fields and the id of the request', async () => {
    const error = await failureOf(client.call('/service/orders/add', newOrder('none')))
    expect(isError(error, 'validation_failed')).toBe(true)
    expect(error).toMatchObject({ path: '/service/orders/add', status: 400, retryAfter: undefined })
    expect(error).toMatchObject({ fields: [{ path: 'data.items.0.item_id', rule: 'id' }] })
    expect((error as WeinkontorError).requestId).toMatch(/^[0-9a-f-]{36}$/)
    const gone = await failureOf(client.call('/service/orders/add', newOrder('gone')))
    expect(isError(gone, 'item_unavailable', 'item_not_found')).toBe(true)
    expect(isError(gone, 'item_not_found')).toBe(false)
    expect(gone).toMatchObject({ status: 422, fields: [{ item_type: 'wine', item_id: shop.wine.gone }] })
  })

  test('requests the links of pictures and PDFs in records', async () => {
    const { data: wine } = await client.call('/service/wines/edit', {
      id: shop.wine.riesling ?? 0,
      data: { public: 1 },
    })
    const none = await fetch(client.url(`${wine.expertisePdf}.not`), { method: 'HEAD' })
    expect([none.status, none.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
    const shown = await fetch(client.url(wine.expertisePdf ?? ''))
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  })

  test('with a wrong credential gets that refusal', async () => {
    const { fetch, times } = losing()
    const error = await failureOf(clientOf({ ...shop, apiToken: 'wrong' }, { fetch }).call('/service/customers/getMy'))
    expect(isError(error, 'credentials_invalid', 'login_throttled')).toBe(true)
    expect([times('/service/login'), times('/service/customers/getMy')]).toEqual([1, 0])
  })

  test('that cannot reach the service gets that error', async () => {
    const error = await failureOf(createClient({ url: 'http://127.0.0.1:9', retries: 1 }).call('/wines/search'))
    expect(error).toBeInstanceOf(ConnectionError)
  })
})

describe('without credentials', () => {
  const guest = createClient({ url: twin.url })

  test('public wines and names are read', async () => {
    const { data } = await guest.call('/wines/search', { pageSize: 1 })
    expect(data.length).toBeLessThanOrEqual(1)
    expect((await guest.call('/wines/getFilters', { filter: ['type'] })).info).toBe('success')
    const { countries, grapetypes } = await guest.call('/localization/{path+}', { path: 'de' })
    expect(countries.de).toBe('Deutschland')
    expect(Object.values(grapetypes)[0]).toEqual({ name: expect.any(String) })
    const none = await failureOf(guest.call('/localization/{path+}', { path: 'fr' as 'de' }))
    expect(isError(none, 'localization_not_found')).toBe(true)
  })
})

describe('the session', () => {
  test('is opened once for 64 calls at the same time', async () => {
    const { fetch, times } = losing()
    const client = clientOf(shop, { fetch })
    const answers = await Promise.all(counted(64).map(() => client.call('/service/check/login')))
    expect(answers.map(({ customers_id }) => customers_id)).toEqual(Array(64).fill(shop.id))
    expect([times('/service/login'), times('/service/check/login')]).toEqual([1, 64])
  })

  test('that was revoked is opened again, invisible to the caller', async () => {
    let kept: Session | undefined
    const session = {
      get: async () => kept,
      set: async (one: Session) => {
        kept = one
      },
    }
    const { fetch, times } = losing()
    const client = clientOf(shop, { fetch, session })
    await client.call('/service/check/login')
    const first = kept?.token ?? ''
    await revokeSession(first)
    expect((await client.call('/service/customers/getMy')).data.id).toBe(shop.id)
    expect(kept?.token).toMatch(/^wks_/)
    expect(kept?.token).not.toBe(first)
    expect([times('/service/login'), times('/service/customers/getMy')]).toEqual([2, 2])
  })

  test('is taken from a store, without a sign-in', async () => {
    const { fetch, times } = losing()
    const { token, expires } = await clientOf(shop).call('/service/login', {
      authid: shop.authid,
      token: shop.apiToken,
    })
    const session = { get: async () => ({ token, expires }), set: () => Promise.reject(new Error('not needed')) }
    await clientOf(shop, { fetch, session }).call('/service/check/login')
    expect(times('/service/login')).toBe(0)
  })
})

describe('a client of the merchant', () => {
  test('is signed in besides the merchant, with a client object of its own or for one call', async () => {
    const { token, mail, id } = await newAccount(shop)
    const { fetch, times } = losing()
    const client = clientOf(shop, { fetch })
    expect((await client.forClient(token).call('/service/clients/get')).data).toMatchObject({ id, mail })
    expect((await client.call('/service/clients/get', {}, { clientToken: token })).data.id).toBe(id)
    expect(isError(await failureOf(client.call('/service/clients/get')), 'client_token_missing')).toBe(true)
    const stranger = client.forClient(`${token.slice(0, -1)}x`)
    expect(isError(await failureOf(stranger.call('/service/clients/get')), 'client_token_invalid')).toBe(true)
    expect(times('/service/login')).toBe(1)
  })
})

describe('an order whose answer is lost', () => {
  const count = async ({ call }: Shop) => (await call('orders/getAll', { pageSize: 1 })).json.totalCount

  test('is placed once, and the repeat answers with it', async () => {
    const before = await count(shop)
    const { fetch, times } = losing('/service/orders/add', 2)
    const { data } = await clientOf(shop, { fetch }).call('/service/orders/add', newOrder())
    expect(times('/service/orders/add')).toBe(3)
    expect(await count(shop)).toBe(before + 1)
    expect((await shop.call('orders/get', { uuid: data.uuid })).json.data.id).toBe(data.id)
    expect(await violations(shop.id)).toEqual([])
  })

  test('is placed once if the repeat arrives while the service is still working', async () => {
    const before = await count(shop)
    let underWay: Promise<unknown> | undefined
    const early: typeof fetch = (input, init) => {
      if (underWay || !String(input).endsWith('/orders/add')) return fetch(input, init)
      underWay = fetch(input, { ...init, signal: null }).then(response => response.json())
      return Promise.reject(new TypeError('fetch failed'))
    }
    const { data } = await clientOf(shop, { fetch: early }).call('/service/orders/add', newOrder())
    expect(await underWay).toMatchObject({ info: 'success', data: { uuid: data.uuid } })
    expect(await count(shop)).toBe(before + 1)
  })

  test('is found again by the key of the shop, in a later call', async () => {
    const before = await count(shop)
    const client = clientOf(shop)
    const first = await client.call('/service/orders/add', newOrder(), { idempotencyKey: 'checkout 1' })
    const again = await client.call('/service/orders/add', newOrder(), { idempotencyKey: 'checkout 1' })
    expect(again.data.uuid).toBe(first.data.uuid)
    expect(await count(shop)).toBe(before + 1)
    const other = await failureOf(
      client.call('/service/orders/add', newOrder('riesling'), { idempotencyKey: 'checkout 1' }),
    )
    expect(isError(other, 'idempotency_key_reused')).toBe(true)
  })
})

describe('a payment whose answer is lost', () => {
  const paid = async (name: string) => {
    const { shop, billing_id, check } = await newCheckout(name)
    const items = [{ item_type: 'wine' as const, item_id: shop.wine.secco ?? 0, quantity: 2 }]
    const data = { billing_id, payment_type: 'paypal' as const, items, ...returning }
    const order = await clientOf(shop).call('/service/orders/add', { data })
    const back = await visit(order.targetUrl ?? '')
    const finish = {
      payment_type: 'paypal' as const,
      payment_id: order.payment?.uuid ?? '',
      order_id: order.data.uuid,
      external_id: order.payment?.external_id ?? '',
      payer_id: back.searchParams.get('PayerID') ?? '',
    }
    return { shop, order, finish, check }
  }

  test('is captured once by finish', async () => {
    const { shop, finish, check } = await paid('Kellerei Finish')
    const { fetch, times } = losing('/service/orders/checkout/finish')
    const { data } = await clientOf(shop, { fetch }).call('/service/orders/checkout/finish', finish)
    expect([data.status, data.paid, data.documents?.payments.length]).toEqual(['need_package', true, 1])
    expect(times('/service/orders/checkout/finish')).toBe(2)
    expect(await check()).toEqual([])
  })

  test('is captured once by execute', async () => {
    const { shop, order, check } = await paid('Kellerei Execute')
    const { fetch, times } = losing('/service/payments/execute')
    const uuid = order.payment?.uuid ?? ''
    const executed = await clientOf(shop, { fetch }).call('/service/payments/execute', { uuid })
    expect([executed.data.status, executed.order.documents?.payments.length]).toEqual(['payed', 1])
    expect(times('/service/payments/execute')).toBe(2)
    expect(await check()).toEqual([])
  })

  test('is not captured if it is cancelled; a repeat has the same answer', async () => {
    const { shop, order, check } = await paid('Kellerei Storno')
    const { fetch, times } = losing('/service/orders/checkout/cancel')
    const { uuid } = order.data
    const { data } = await clientOf(shop, { fetch }).call('/service/orders/checkout/cancel', { uuid })
    expect([data.status, data.paid]).toEqual(['cancelled', false])
    expect(times('/service/orders/checkout/cancel')).toBe(2)
    expect(await check()).toEqual([])
  })
})

test('a route that must not run twice is not repeated, and ran once', async () => {
  const { fetch, times } = losing('/service/addresses/add')
  const own = await newShop()
  const { gender: _, ...data } = person
  const error = await failureOf(clientOf(own, { fetch }).call('/service/addresses/add', { data }))
  expect(error).toBeInstanceOf(ConnectionError)
  expect(times('/service/addresses/add')).toBe(1)
  expect(await collect(clientOf(own).all('/service/addresses/getAll'))).toHaveLength(1)
})

describe('a list', () => {
  const red = { type: 'red', countrycode: 'de', region: 1005 } as const
  // Other test files show wines to the public, too; this place distinguishes these wines.
  const place = `Klient ${shop.id}`

  test('whose pages end early, because the records are long, is returned whole', async () => {
    const own = await newShop('Kellerei Langtext')
    const description = '🍷'.repeat(10_000)
    await importWines(
      own.id,
      counted(60).map(n => ({ ...red, articlenumber: `${n}`, name: `Wein ${n}`, description })),
    )
    const client = clientOf(own)
    const pages = await collect(client.pages('/service/wines/getAll', { pageSize: 100, orderBy: 'id' }))
    expect(pages.length).toBeGreaterThan(1)
    expect(pages[0]?.pages.next).toEqual({ start: pages[0]?.data.length })
    const wines = await collect(client.all('/service/wines/getAll', { pageSize: 100, orderBy: 'id' }))
    expect(wines.map(({ id }) => id)).toEqual(pages.flatMap(({ data }) => data.map(({ id }) => id)))
    expect(new Set(wines.map(({ name }) => name)).size).toBe(60)
  })

  const client = clientOf(shop)
  let token = ''
  let buyer = 0
  let category = 0

  beforeAll(async () => {
    await importWines(
      shop.id,
      counted(5).map(n => ({
        ...{ ...red, articlenumber: `${n}`, name: `Rotwein ${n} von ${shop.id}`, place, public: 1 as const },
        ...{ categories: ['Rotwein', `Nur ${n}`], winery: { name: `Gut ${n}` } },
      })),
    )
    await setPackages(shop)
    await setMerchant(shop, { payment_types: ['invoice', 'paypal'] })
    for (const n of counted(5)) {
      const { id: item_id } = await newProduct(shop, { name: `Glas ${n}` })
      await client.call('/service/stocks/add', { item_type: 'product', item_id, stock: n })
      await client.call('/service/priceRanges/edit', { data: { name: `Preise ${n}` } })
    }
    const account = await newAccount(shop)
    token = account.token
    buyer = account.id
    const { gender: _, ...address } = person
    for (const _ of counted(5)) {
      await client.call('/service/addresses/add', { data: { ...address, client_id: account.id } })
      await client.call('/service/orders/add', { data: { ...newOrder().data, billing_id: account.id } })
      const paying = { ...newOrder().data, payment_type: 'paypal' as const, ...returning }
      await client.call('/service/orders/add', { data: paying })
    }
    const categories = await collect(client.all('/service/categories/getAll'))
    category = categories.find(({ name }) => name === 'Rotwein')?.id ?? 0
    await untilPublished(shop.id)
    // Public lists may be five seconds old.
    await pause(5000)
  })

  // The parameters that lists need.
  const asking: Readonly<Record<string, () => object>> = {
    '/service/addresses/getByClient': () => ({ client_id: buyer }),
    '/service/categories/getWines': () => ({ id: category }),
    '/service/categories/getWithWines': () => ({ id: category }),
    '/service/wines/getByCategory': () => ({ id: category }),
    '/service/wines/getByType': () => ({ type: 'red', max: 2 }),
    '/wines/getAll': () => ({ filter: { place } }),
    '/wines/search': () => ({ query: 'rotwein', filter: { place } }),
  }
  const lists = routes.filter(({ envelope }) => envelope === 'list').map(({ path }) => path as ListPath)

  test.each(lists)('%s is returned whole over pages of two records', async path => {
    const body = asking[path] ?? (() => ({}))
    const own = client.forClient(token) as unknown as Json
    const [whole] = (await collect(own.pages(path, { ...body(), pageSize: 100, max: undefined }))) as Json[]
    const idOf = ({ id, uuid, item_id }: Json) => id ?? uuid ?? item_id
    const ids = whole.data.map(idOf)
    expect(whole.totalCount).toBe(ids.length)
    const found = (await collect(own.all(path, { ...body(), pageSize: 2 }))) as Json[]
    expect(found.map(idOf)).toEqual(ids)
    // Packages always come in one page.
    const isWhole = path === '/service/packaging/getAll'
    const pages = await collect(own.pages(path, { ...body(), pageSize: 2 }))
    expect(pages.length).toBe(isWhole ? 1 : Math.ceil(ids.length / 2))
    expect(ids.length).toBeGreaterThan(isWhole ? 0 : 2)
  })
})
