import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { actAsOperator } from '../../lib/tool/connect.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { feedVersion } from '../../shared/catalogue/search/feed.ts'
import { emptyIndex, refresh } from '../../shared/catalogue/search/refresh.ts'
import { merchantScope } from '../../shared/catalogue/search/scopes.ts'
import { loadSnapshot } from '../../shared/catalogue/search/snapshot-store.ts'
import { newWine, type StoredWine, wineOf } from '../../shared/catalogue/wines/stored.ts'
import { versionsIn, writeWines } from '../../shared/catalogue/wines/write.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { TransactionRefused } from '../../shared/platform/table/failures.ts'
import { indexKey, key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { getItem, queryEntries } from '../../shared/platform/table/table.ts'
import { put, transact } from '../../shared/platform/table/transact.ts'
import { eventually } from '../support/eventually.ts'
import type { Json } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { publicProblems } from '../support/published.ts'
import { startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { crowd, runsAllCases } from '../support/sampling.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { toolProcess } from '../support/tool.ts'

// A twin whose database behaves no better than DynamoDB promises: test/support/weak-consistency.ts.
// More than one, so that a change which one has seen is news to another.
const instances = 2
const folder = temporaryFolder('weak')
let twin: TwinProcess

beforeAll(async () => {
  const environment = { INSTANCES: String(instances) }
  twin = await startTwinProcess(folder, { program: 'test/support/weakly-consistent-twin.ts', environment })
  actAsOperator(twin.connection)
})

afterAll(async () => {
  await twin?.stop()
})

/** Problems, and, if there are any, the errors in the service's log, which explain them. */
const explained = async (problems: readonly string[]): Promise<string[]> => {
  if (problems.length === 0) return []
  // An answer may be there before its line.
  await pause(1000)
  const log = await readFile(join(folder, 'service.log'), 'utf8')
  return [...problems, ...log.split('\n').filter(line => line.includes('"level":"ERROR"'))]
}

type Headers = Record<string, string>

const post = async (
  path: string,
  body: object,
  token?: string,
  more: Headers = {},
): Promise<{ status: number; json: Json }> => {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...more }
  const response = await fetch(twin.connection.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, json: await response.json() }
}

type Shop = {
  merchant: MerchantId
  call(route: string, body: object, headers?: Headers): Promise<{ status: number; json: Json }>
}

const newShop = async (role: 'shop' | 'desk' = 'shop'): Promise<Shop> => {
  const account = await createMerchant({ name: 'Unruh', paymentTypes: ['invoice', 'paypal'] })
  const { token: apiToken } = await issueToken(account, 'test', { role })
  const { json } = await post('/service/login', { authid: account.authid, token: apiToken })
  return {
    merchant: account.id as MerchantId,
    call: (route, body, headers) => post(`/service/${route}`, body, json.token, headers),
  }
}

const entriesOf = (merchant: MerchantId) => queryEntries({ pk: partition('wine', { merchant }), indexed: true })
/** Name and feed version of each wine by id, as the table has them. */
const tableOf = async (merchant: MerchantId) =>
  new Map(
    (await entriesOf(merchant)).map(entry => {
      const { id, name } = wineOf(entry.item)
      return [id, { name, version: feedVersion(entry) }]
    }),
  )

test('a transaction becomes visible item by item and in any order, and whole when it is acknowledged', async () => {
  const merchant = 800_000_001 as MerchantId
  const versions: number[][] = []
  for (let round = 0; round < 5; round++) {
    let isDone = false
    const ids = counted(20)
    const written = transact(
      ids.map(id => {
        const index = indexKey('wine', { version: round * 20 + id + 1 })
        return put(`wine ${id}`, key('wine', { merchant, id }), { doc: '{}', version: round }, { index })
      }),
    ).then(() => {
      isDone = true
    })
    while (!isDone) versions.push((await entriesOf(merchant)).map(feedVersion))
    await written
    expect((await entriesOf(merchant)).map(feedVersion)).toEqual(ids.map(id => round * 20 + id + 1))
  }
  for (const some of versions) expect(some).toEqual(some.toSorted((a, b) => a - b))
  // The later one of two wines, while the earlier one still has its former version.
  const isUneven = (some: number[]) => some.length > 1 && (some.at(-1) ?? 0) - (some[0] ?? 0) + 1 > some.length
  expect(versions.some(isUneven)).toBe(true)
})

const newWineOf = (merchant: MerchantId, id: number): StoredWine =>
  newWine(
    { id, customers_id: merchant, cruser_id: 1, path_segment: `wein-${id}`, now: '2026-01-01 00:00:00' },
    { name: `Wein ${id}`, type: 'red', countrycode: 'de', region: 1005 },
  )

/** Ignores a write that another write preceded; it is repeated. */
const onlyRefused = (error: unknown): undefined => {
  if (!(error instanceof TransactionRefused)) throw error
}

const wine = (name: string) => ({ name, type: 'red', countrycode: 'de', region: 1005, active: 1, public: 1 })

const untilTaken = async (send: () => Promise<{ status: number; json: Json }>): Promise<Json> => {
  for (let tries = 1; ; tries++) {
    const { status, json } = await send()
    if (status === 200) return json.data
    // Many write the same catalogue concurrently: a request that was refused for that is repeated.
    if (tries === 20) throw new Error(`${status} ${JSON.stringify(json)}`)
    await pause(100 * Math.random() * tries)
  }
}

test('an acknowledged wine is found immediately, on every instance, with many concurrent writes and searches', async () => {
  const shops = [await newShop(), await newShop()] as const
  const missed: string[] = []
  const act = async (n: number) => {
    const { call } = shops[n % 2] as Shop
    const search = async (name: string, id: number) => {
      const answers = await Promise.all(counted(2).map(() => call('wines/search', { query: name })))
      for (const { status, json } of answers)
        if (status !== 200 || json.data[0]?.id !== id || json.data[0]?.name !== name) missed.push(`${name}: ${status}`)
    }
    const name = (round: number) => `Schluck ${n} Runde ${round}.`
    const { id } = await untilTaken(() => call('wines/add', { data: wine(name(0)) }))
    await search(name(0), id)
    for (let round = 1; round <= (runsAllCases ? 5 : 2); round++) {
      await untilTaken(() => call('wines/edit', { id, data: { name: name(round) } }))
      await search(name(round), id)
    }
  }
  // A search during a change must not hide it from later searches.
  let isOver = false
  const look = async ({ call }: Shop) => {
    while (!isOver) await call('wines/search', { pageSize: 1 })
  }
  const looking = [...shops, ...shops, ...shops].map(look)
  await Promise.all(counted(crowd).map(act))
  isOver = true
  await Promise.all(looking)
  expect(await explained(missed)).toEqual([])
  for (const { merchant, call } of shops) {
    const names = [...(await tableOf(merchant)).values()].map(({ name }) => name).sort()
    expect(names).toHaveLength(crowd / 2)
    // So many concurrent requests reach all instances.
    const answers = await Promise.all(counted(2 * instances).map(() => call('wines/search', { pageSize: 100 })))
    for (const { json } of answers) expect(json.data.map((one: Json) => one.name).sort()).toEqual(names)
  }
  for (const { merchant } of shops) {
    const names = [...(await tableOf(merchant)).values()].map(({ name }) => name).sort()
    const shown = async () => {
      const { json } = await post('/wines/search', { query: { customers_id: merchant }, pageSize: 100 })
      return json.data.map((one: Json) => one.name).sort()
    }
    expect(await eventually(shown, found => `${found}` === `${names}`)).toEqual(names)
  }
  // Whatever came late, twice, out of order or in pieces: it was published, and each change once. A name may show before
  // the path_segment that is written with it.
  const merchants = shops.map(({ merchant }) => merchant)
  const problems = await eventually(
    () => publicProblems(merchants),
    found => found.length === 0,
  )
  expect(await explained(problems)).toEqual([])
}, 300_000)

test('a reader during concurrent writes misses no acknowledged one, and none in the end', async () => {
  const merchant = 800_000_002 as MerchantId
  const scope = merchantScope(merchant)
  const acknowledged = new Map<number, number>()
  let missed = 0
  let isOver = false
  const writing = async (id: number) => {
    let before: StoredWine | null = null
    for (let round = 0; round < (runsAllCases ? 25 : 12); ) {
      const catalogue = await getItem(key('catalogue', { merchant }))
      const after: StoredWine = { ...(before ?? newWineOf(merchant, id)), version: round + 1 }
      const seen = { ...versionsIn(catalogue), amounts: null }
      const written = await writeWines(merchant, [{ before, after }], seen).catch(onlyRefused)
      if (!written) continue
      acknowledged.set(id, written.catalogue)
      before = after
      round++
    }
  }
  const looking = async () => {
    const loaded = emptyIndex(scope)
    const look = async () => {
      const before = [...acknowledged]
      await refresh(scope, loaded)
      missed += before.filter(([id, version]) => loaded.index.versionOf(id) < version).length
    }
    while (!isOver) await look()
    await look()
  }
  const lookers = counted(4).map(looking)
  await Promise.all(counted(8).map(writing))
  isOver = true
  await Promise.all(lookers)
  expect([missed, acknowledged.size]).toEqual([0, 8])
}, 240_000)

test('the job writes a snapshot that contains every change it claims, though changes arrive late, twice and out of order', async () => {
  const { merchant } = await newShop()
  const scope = merchantScope(merchant)
  const rows = (round: number): WineRow[] =>
    counted(60).map(n => ({
      articlenumber: `${n}`,
      name: `Fass ${n} Runde ${n % (round + 1)}`,
      type: 'red',
      countrycode: 'de',
      region: 1005,
    }))
  for (const round of [0, 1, 2]) await importWines(merchant, rows(round))
  const table = await tableOf(merchant)
  const loaded = await eventually(
    () => loadSnapshot(scope),
    ({ index }) => index.size === 60,
    500,
  )
  expect(loaded.index.size).toBe(60)
  await refresh(scope, loaded)
  const versions = [...table.keys()].map(id => [id, loaded.index.versionOf(id)])
  expect(versions).toEqual([...table].map(([id, { version }]) => [id, version]))
})

/** Approves a payment at the sandbox. Returns the payer. */
const approve = async (targetUrl: string): Promise<string | null> => {
  const { nonce = '' } = (await findSandboxPayment(targetUrl.split('/').at(-1) ?? '')) ?? {}
  const body = new URLSearchParams({ nonce, choice: 'approve', behaviour: 'prompt', event: 'lost' })
  const { headers } = await fetch(targetUrl, { method: 'POST', body, redirect: 'manual' })
  return new URL(headers.get('location') ?? '').searchParams.get('PayerID')
}

/** Repeats a request if the service is busy, as its guide says. */
const servedBy =
  (call: Shop['call']) =>
  async (route: string, body: object, headers: Headers = {}): Promise<Json> => {
    for (;;) {
      const { status, json } = await call(route, body, headers)
      if (status === 200) return json
      if (status !== 503) throw new Error((await explained([`${route}: ${status} ${json.error}`])).join('\n'))
      await pause(500)
    }
  }

test('concurrent buyers each get an order, each basket one, and each payment is finished', async () => {
  const { merchant, call } = await newShop()
  const sold = { gross: '10.00', taxrate: 19, shop: 1 }
  const { id: item_id } = await untilTaken(() => call('wines/add', { data: { ...wine('Rausch'), ...sold } }))
  const items = [{ item_type: 'wine', item_id, quantity: 1 }]
  const billing = { last_name: 'Gast', address: 'Weg 1', zip: '1', city: 'Jena', countrycode: 'de' }
  const urls = { return_url: 'https://shop.example/finish', cancel_url: 'https://shop.example/cancel' }
  const refused: string[] = []
  const untilServed = servedBy(call)
  const paid = async (data: object, headers: Headers) => {
    const { data: order, payment, targetUrl } = await untilServed('orders/add', { data }, headers)
    const payer_id = await approve(targetUrl)
    const { external_id, uuid: payment_id } = payment
    const finish = { payment_type: 'paypal', payment_id, order_id: order.uuid, external_id, payer_id }
    const both = [untilServed('orders/checkout/finish', finish), untilServed('payments/execute', { uuid: external_id })]
    for (const { data: done, order: its = done } of await Promise.all(both))
      if (its?.status !== 'need_package') refused.push(`order ${order.number} is ${its?.status}`)
  }
  const buy = async (n: number) => {
    const data = { source: 'shop', billing, items }
    const headers = { 'idempotency-key': `${n}` }
    if (n % 4 === 0) return paid({ ...data, payment_type: 'paypal', ...urls }, headers)
    if (n % 4 > 1) return untilServed('orders/add', { data: { ...data, payment_type: 'invoice' } }, headers)
    const { uuid } = (await untilServed('baskets/add', {})).data
    await untilServed('baskets/addItem', { uuid, data: items[0] as object })
    const order = { source: 'shop', billing, basket_uuid: uuid, payment_type: 'invoice' }
    const windows = await Promise.all(counted(3).map(() => untilServed('orders/add', { data: order })))
    const ids = new Set(windows.map(({ data: { id } }) => id))
    if (ids.size !== 1) refused.push(`a basket became the orders ${[...ids]}`)
  }
  await Promise.all(counted(crowd).map(buy))
  expect(await explained(refused)).toEqual([])
  const orders = await queryEntries({ pk: partition('order', { merchant }) })
  expect(orders).toHaveLength(crowd)
}, 300_000)

test('concurrent credits of a paid order, each sent twice, credit each bottle once and refund what was paid', async () => {
  const { merchant, call } = await newShop('desk')
  const untilServed = servedBy(call)
  const sold = { gross: '9.99', taxrate: 19, shop: 1 }
  const { id: item_id } = await untilTaken(() => call('wines/add', { data: { ...wine('Scherbe'), ...sold } }))
  const bottles = 6
  const urls = { return_url: 'https://shop.example/finish', cancel_url: 'https://shop.example/cancel' }
  const billing = { last_name: 'Gast', address: 'Weg 1', zip: '1', city: 'Jena', countrycode: 'de' }
  const items = [{ item_type: 'wine', item_id, quantity: bottles }]
  const placed = await untilServed('orders/add', { data: { billing, items, payment_type: 'paypal', ...urls } })
  const { external_id, uuid: payment_id } = placed.payment
  const payer_id = await approve(placed.targetUrl)
  const order_id = placed.data.uuid
  const { data: order } = await untilServed('orders/checkout/finish', {
    ...{ payment_type: 'paypal', payment_id, order_id, external_id, payer_id },
  })
  const body = { uuid: order_id, positions: [{ id: order.positions[0].id, quantity: 1 }], refund: 'provider' }
  const credit = (n: number) => untilServed('orders/credit', body, { 'idempotency-key': `bottle ${n % bottles}` })
  const answers = await Promise.all(counted(2 * bottles).map(credit))
  const numbers = answers.map(({ credit: advice }) => Number(advice.number))
  expect([...new Set(numbers)].sort()).toEqual(counted(bottles))
  const after = (await untilServed('orders/get', { uuid: order_id, include: 'documents' })).data
  expect([after.status, after.credited, after.documents.creditAdvices.length]).toEqual(['cancelled', 'whole', bottles])
  expect(await toolProcess(['sweep'], folder)).toMatchObject({ code: 0 })
  expect((await findSandboxPayment(external_id))?.refunded).toBe(5994)
  const payment = await getItem(key('payment', { merchant, uuid: payment_id }))
  expect([payment?.status, payment?.reported]).toEqual(['captured', 5994])
}, 300_000)
