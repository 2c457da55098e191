import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { actAsOperator } from '../../lib/tool/connect.ts'
import type { WineRow } from '../../lib/tool/imports/wine-writes.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { changeLimits } from '../../lib/tool/quotas.ts'
import { findTwin } from '../../lib/twin/twin-file.ts'
import { NewOrder } from '../../shared/contract/orders.ts'
import { completeClient } from '../../shared/contract/records/client.ts'
import type { OrderRelation } from '../../shared/contract/vocabulary.ts'
import { placeOrder } from '../../shared/orders/placing/place.ts'
import { listOrders } from '../../shared/orders/read.ts'
import { itemOf, type OrderRecord, orderOf } from '../../shared/orders/record.ts'
import { key, lastNumber, type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import {
  documents,
  getItem,
  putItem,
  query,
  queryEntries,
  tableName,
  updateItem,
} from '../../shared/platform/table/table.ts'
import { startTwinProcess } from '../support/running-twin.ts'
import { median, printTable } from './median.ts'

// The cost of orders: pages of a long list, placing them one after the other and all at once, and what is written.
// `TWIN` names the folder of a twin that runs already.

const orders = Number(process.env.ORDERS ?? 40_000)
const placed = Number(process.env.PLACED ?? 400)
const pageSize = 20
const connections = 20
const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const folder = process.env.TWIN ?? (await mkdtemp(join(tmpdir(), 'weinkontor-bench-')))
const running = process.env.TWIN ? undefined : await startTwinProcess(folder)
const connection = running?.connection ?? (await findTwin(folder))
if (!connection) throw new Error(`no twin runs in ${folder}`)
actAsOperator(connection)

type Units = { ConsumedCapacity?: Capacity | Capacity[] }
type Capacity = { CapacityUnits?: number }

/** The requests and consumed capacity units since the last call. */
const meter = { requests: 0, units: 0, written: 0 }
documents.middlewareStack.add(
  (next, { commandName }) =>
    async args => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
      meter.requests++
      const told = [(result.output as Units).ConsumedCapacity ?? []].flat()
      const units = told.reduce((sum, one) => sum + (one.CapacityUnits ?? 0), 0)
      meter[commandName === 'TransactWriteItemsCommand' ? 'written' : 'units'] += units
      return result
    },
  { step: 'initialize', name: 'meter' },
)

const metered = async (act: () => Promise<unknown>) => {
  Object.assign(meter, { requests: 0, units: 0, written: 0 })
  const started = performance.now()
  await act()
  return { ...meter, ms: performance.now() - started }
}

const rows = Array.from(
  { length: 30 },
  (_, n): WineRow => ({
    articlenumber: `wine ${n}`,
    name: `Spätburgunder Fass ${n}`,
    type: 'red',
    countrycode: 'de',
    region: 1003,
    vintage: 2024,
    gross: '12.50',
    taxrate: 19,
    description:
      'Reife Kirschen, ein wenig Rauch, am Gaumen lang und kühl; aus alten Reben am steilen Südhang. '.repeat(4),
    stock: 1_000_000,
  }),
)

type Shop = { merchant: MerchantId; token: string; wines: number[]; billing_id: number }

const newShop = async (name: string): Promise<Shop> => {
  const account = await createMerchant({ name })
  // The bench sends more requests than the default quota allows.
  await changeLimits(merchantIdOf(account.id), { requests: 1_000_000, sessions: 1_000_000_000 })
  const merchant = account.id as MerchantId
  const { token: apiToken } = await issueToken(account, 'bench')
  const login = await fetch(`${connection.url}/service/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: apiToken, authid: account.authid }),
  })
  await importWines(merchant, rows)
  const wines = (await queryEntries({ pk: partition('wine', { merchant }) })).map(({ sk }) => lastNumber(sk))
  const home = { address: 'Am Maß 1', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Maß' }
  await putItem(key('client', { merchant, id: 1 }), completeClient({ ...home, id: 1, customers_id: merchant }))
  return { merchant, wines, billing_id: 1, token: ((await login.json()) as { token: string }).token }
}

const dataOf = ({ wines, billing_id }: Shop, positions: number) => ({
  billing_id,
  payment_type: 'invoice',
  items: wines.slice(0, positions).map(item_id => ({ item_type: 'wine', item_id, quantity: 1 })),
})

const place = (shop: Shop, positions: number) =>
  placeOrder(
    { merchant: shop.merchant, user: { id: 1, name: 'bench' } },
    { data: v.parse(NewOrder, dataOf(shop, positions)), idempotencyKey: null },
  )

/** Fills a merchant's list with copies of its first order, written in batches with the operator's rights. */
const fill = async ({ merchant }: Shop, count: number): Promise<void> => {
  const item = await getItem(key('order', { merchant, id: 1 }))
  if (!item) throw new Error('the bench has no first order')
  const first = orderOf(item)
  const copy = (id: number): OrderRecord => ({ ...first, header: { ...first.header, id, number: String(id) } })
  const batches = Array.from({ length: Math.ceil((count - 1) / 25) }, (_, n) => n * 25 + 2)
  const write = async (from: number) => {
    const ids = Array.from({ length: Math.min(25, count - from + 1) }, (_, n) => from + n)
    const requests = ids.map(id => ({
      PutRequest: { Item: { ...itemOf(copy(id), 1), ...key('order', { merchant, id }) } },
    }))
    const { UnprocessedItems } = await documents.send(
      new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }),
    )
    if (UnprocessedItems?.[tableName()]?.length) throw new Error('the table left orders unprocessed')
  }
  for (let n = 0; n < batches.length; n += 4) await Promise.all(batches.slice(n, n + 4).map(write))
  await updateItem(key('numbers', { merchant, counter: 'orders' }), { set: { last: count } })
}

const usual = new Set<OrderRelation>(['billing', 'delivery'])

/** A list without key ranges: reads from the newest order on, and skips those before the page. */
const skip = async ({ merchant }: Shop, page: number) => {
  const items = await query({ pk: partition('order', { merchant }), descending: true, limit: page * pageSize })
  return items.slice((page - 1) * pageSize).map(orderOf)
}

const pages = async (): Promise<void> => {
  const shop = await newShop('Messkellerei der langen Liste')
  await place(shop, 3)
  await fill(shop, orders)
  const last = orders / pageSize
  const skipping = (page: number) => skip(shop, page)
  const ways: [string, (page: number) => Promise<unknown>][] = [
    ['key range', page => listOrders(shop.merchant, { page, pageSize }, usual)],
    ['read and skip', skipping],
  ]
  say(`\nlist of ${orders} orders, ${pageSize} a page, from this process to the table; median of 5 runs`)
  const table = [['', 'page', 'requests', 'read units', 'ms']]
  for (const page of [1, last]) {
    for (const [name, act] of ways) {
      const runs: Awaited<ReturnType<typeof metered>>[] = []
      // Reading everything takes so long that once is enough.
      const count = act === skipping && page > 1 ? 1 : 5
      for (let n = 0; n < count; n++) runs.push(await metered(() => act(page)))
      const of = (what: 'requests' | 'units' | 'ms') => median(runs.map(run => run[what]))
      table.push([name, String(page), String(of('requests')), of('units').toFixed(1), of('ms').toFixed(1)])
    }
  }
  printTable(table)
}

type Counts = Record<string, Record<string, number>>

const transactions = async (): Promise<number> => {
  const counts = (await (await fetch(connection.requests)).json()) as Counts
  const found = Object.entries(counts).find(([name]) => name.startsWith('serviceordersaddFunction'))
  return found?.[1].TransactWriteItems ?? 0
}

const post = async (shop: Shop, positions: number): Promise<void> => {
  const response = await fetch(`${connection.url}/service/orders/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${shop.token}` },
    body: JSON.stringify({ data: dataOf(shop, positions) }),
  })
  if (response.status !== 200) throw new Error(`orders/add answers ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

const throughput = async (): Promise<void> => {
  const shops: Shop[] = []
  for (let n = 0; n < 50; n++) shops.push(await newShop(`Messkellerei ${n}`))
  await Promise.all(shops.slice(0, 8).map(shop => post(shop, 3)))
  say(`\n${placed} orders of 3 positions over HTTP, ${connections} at once`)
  const table = [['', 'orders/s', 'retries per order']]
  for (const merchants of [1, 50]) {
    const before = await transactions()
    const started = performance.now()
    let next = 0
    const work = async () => {
      while (next < placed) await post(shops[next++ % merchants] as Shop, 3)
    }
    await Promise.all(Array.from({ length: connections }, work))
    const seconds = (performance.now() - started) / 1000
    const retries = ((await transactions()) - before - placed) / placed
    table.push([`${merchants} merchants`, (placed / seconds).toFixed(1), retries.toFixed(2)])
  }
  printTable(table)
}

const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (value instanceof Uint8Array) return value.length
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1
  if (typeof value !== 'object' || value === null) return 1
  return 3 + Object.entries(value).reduce((sum, [name, one]) => sum + Buffer.byteLength(name) + bytesOf(one) + 1, 0)
}

/** Write units of a put in a transaction: two for each started KB. */
const unitsOf = (item: object): number =>
  2 *
  Math.ceil(Object.entries(item).reduce((sum, [name, one]) => sum + Buffer.byteLength(name) + bytesOf(one), 0) / 1024)

const writing = async (): Promise<void> => {
  const shop = await newShop('Messkellerei der Einheiten')
  const { merchant } = shop
  say('\nwrite units of an order, every position counted in stock')
  const table = [['positions', 'told by the table', "by DynamoDB's rules", 'order bytes', 'positions bytes']]
  for (const positions of [3, 30]) {
    const { data } = await place(shop, positions)
    const { written } = await metered(() => place(shop, positions))
    const order = (await getItem(key('order', { merchant, id: data.id }))) ?? {}
    const part = (await getItem(key('orderItems', { merchant, order: data.id, part: 0 }))) ?? {}
    const pointer = (await getItem(key('orderUuid', { merchant, uuid: data.uuid }))) ?? {}
    // In addition to these three: the numbers, and the stock of each position, each below one KB.
    const computed = unitsOf(order) + unitsOf(part) + unitsOf(pointer) + 2 + 2 * positions
    const sizes = [(order as { doc: string }).doc.length, (part as { doc: Uint8Array }).doc.length]
    table.push([String(positions), written.toFixed(1), String(computed), ...sizes.map(String)])
  }
  printTable(table)
}

await writing()
await throughput()
await pages()
await running?.stop()
if (running) await rm(folder, { recursive: true, force: true })
documents.destroy()
