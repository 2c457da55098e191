import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actAsOperator } from '../../lib/tool/connect.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { changeLimits } from '../../lib/tool/quotas.ts'
import { startDynamo } from '../../lib/twin/dynamodb/process.ts'
import { completeClient } from '../../shared/contract/records/client.ts'
import { key, lastNumber, type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import { putItem, queryEntries, tableClient } from '../../shared/platform/table/table.ts'
import { violations } from '../support/invariants.ts'
import { startTwinProcess } from '../support/running-twin.ts'
import { printTable } from './median.ts'
import { startSlowTable } from './slow-table.ts'

// Proves that each of many concurrent orders of one merchant is placed or refused with 503, with dense numbers, and what
// orders of other merchants take next to them. `READ` and `WRITE` add milliseconds to each request to the table, as on AWS.

const list = (text: string) => text.split(',').map(Number)
const sizes = list(process.env.SIZES ?? '50,100,300')
const instances = list(process.env.INSTANCES ?? '4,64')
const delay = { read: Number(process.env.READ ?? 0), write: Number(process.env.WRITE ?? 0) }
const withOthers = process.env.OTHERS !== 'no'

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const wines: WineRow[] = [
  { name: 'Spätburgunder Fass 1', articlenumber: 'one', type: 'red', countrycode: 'de', region: 1003, gross: '12.50' },
  { name: 'Spätburgunder Fass 2', articlenumber: 'two', type: 'red', countrycode: 'de', region: 1003, gross: '9.90' },
].map(row => ({ ...row, type: 'red' as const, taxrate: 19, stock: 1_000_000 }))

type Shop = { merchant: MerchantId; token: string; body: string; preview: string }

const newShop = async (url: string, name: string): Promise<Shop> => {
  const account = await createMerchant({ name })
  // The bench sends more requests than the default quota allows.
  await changeLimits(merchantIdOf(account.id), { requests: 1_000_000, sessions: 1_000_000_000 })
  const merchant = account.id as MerchantId
  const { token: apiToken } = await issueToken(account, 'bench')
  const login = await fetch(`${url}/service/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: apiToken, authid: account.authid }),
  })
  const { token } = (await login.json()) as { token: string }
  await importWines(merchant, wines)
  const ids = (await queryEntries({ pk: partition('wine', { merchant }) })).map(({ sk }) => lastNumber(sk))
  const home = { address: 'Am Maß 1', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Maß' }
  await putItem(key('client', { merchant, id: 1 }), completeClient({ ...home, id: 1, customers_id: merchant }))
  const items = ids.map(item_id => ({ item_type: 'wine', item_id, quantity: 6 }))
  const data = { billing_id: 1, payment_type: 'invoice', items }
  return { merchant, token, body: JSON.stringify({ data }), preview: JSON.stringify({ data, dry_run: true }) }
}

type Sent = { status: number; ms: number }

const post = async (url: string, { token }: Shop, body: string): Promise<Sent> => {
  const started = performance.now()
  const response = await fetch(`${url}/service/orders/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  })
  await response.arrayBuffer()
  return { status: response.status, ms: performance.now() - started }
}

const times = <T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))

const percentile = (sent: readonly Sent[], part: number): string => {
  const sorted = sent.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return ((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) / 1000).toFixed(2)
}

type Counts = Record<string, Record<string, number>>

/** The number of orders/add's requests to the table so far, by operation. */
const asked = async (requests: string): Promise<Record<string, number>> => {
  const counts = (await (await fetch(requests)).json()) as Counts
  return Object.entries(counts).find(([name]) => name.startsWith('serviceordersaddFunction'))?.[1] ?? {}
}

const folder = await mkdtemp(join(tmpdir(), 'weinkontor-burst-'))

/** A twin with a number of warm instances of orders/add. */
const startWarm = async (count: number) => {
  const own = join(folder, String(count))
  const dynamo = await startDynamo(join(folder, `table-${count}.db`))
  const isSlow = delay.read + delay.write > 0
  const table = isSlow ? await startSlowTable(dynamo.url, delay) : undefined
  const environment = {
    DEMO: 'no',
    INSTANCES: String(count),
    ALL_INSTANCES: '500',
    DYNAMODB_ENDPOINT: table?.url ?? dynamo.url.href,
  }
  const twin = await startTwinProcess(own, { environment })
  process.once('exit', () => twin.child.kill())
  actAsOperator(twin.connection)
  const warm = await newShop(twin.connection.url, 'Messkellerei warm')
  // A few at a time: if all instances load at once, none becomes ready in time.
  await times(2 * count, () => post(twin.connection.url, warm, warm.preview))
  const stop = async () => {
    await twin.stop()
    await table?.close()
    await dynamo.close()
  }
  return { ...twin.connection, stop }
}

type Warm = Awaited<ReturnType<typeof startWarm>>

const burst = async ({ url, requests }: Warm, size: number): Promise<string[]> => {
  const shop = await newShop(url, `Messkellerei ${size}`)
  const before = await asked(requests)
  const started = performance.now()
  const sent = await times(size, () => post(url, shop, shop.body))
  const seconds = (performance.now() - started) / 1000
  const after = await asked(requests)
  const placed = sent.filter(({ status }) => status === 200)
  const refused = sent.filter(({ status }) => status === 503)
  const each = (operations: readonly string[]) =>
    (operations.reduce((sum, name) => sum + (after[name] ?? 0) - (before[name] ?? 0), 0) / placed.length).toFixed(1)
  // A request that timed out at the gateway may still run in its function.
  let wrong = await violations(shop.merchant)
  for (let n = 0; n < 30 && wrong.length > 0; n++) {
    await new Promise(done => setTimeout(done, 1000))
    wrong = await violations(shop.merchant)
  }
  if (wrong.length > 0) say(wrong.join('\n'))
  return [
    String(placed.length),
    String(refused.length),
    String(sent.length - placed.length - refused.length),
    each(['TransactWriteItems']),
    each(['BatchGetItem', 'GetItem']),
    each(['UpdateItem']),
    percentile(placed, 0.5),
    percentile(placed, 0.95),
    seconds.toFixed(1),
  ]
}

/** Fifty merchants, each with an order every half second; at the same time a burst of one merchant, of many, or none. */
const beside = async (
  { url }: Warm,
  shops: readonly Shop[],
  name: string,
  crowd: readonly Shop[],
): Promise<string[]> => {
  const sending = times(8 * shops.length, async n => {
    await new Promise(done => setTimeout(done, 10 * n))
    return post(url, shops[n % shops.length] as Shop, (shops[n % shops.length] as Shop).body)
  })
  await new Promise(done => setTimeout(done, 500))
  const crowded = await times(crowd.length, n => post(url, crowd[n] as Shop, (crowd[n] as Shop).body))
  const sent = await sending
  const placed = (all: readonly Sent[]) => String(all.filter(({ status }) => status === 200).length)
  return [name, placed(sent), percentile(sent, 0.5), percentile(sent, 0.95), placed(crowded), percentile(crowded, 0.95)]
}

const measure = async (count: number): Promise<void> => {
  const twin = await startWarm(count)
  const rows = [['orders', 'placed', '503', 'other', 'tx', 'reads', 'updates', 'p50 s', 'p95 s', 'all s']]
  for (const size of sizes) rows.push([String(size), ...(await burst(twin, size))])
  say(`\n${count} instances; transactions, reads and updates are per placed order`)
  printTable(rows)
  if (withOthers) {
    const newShops = async (name: string) => {
      const shops: Shop[] = []
      for (let n = 0; n < 50; n++) shops.push(await newShop(twin.url, `${name} ${n}`))
      return shops
    }
    const neighbours = await newShops('Nachbar')
    const many = await newShops('Gast')
    const crowd = (from: readonly Shop[]) => Array.from({ length: 300 }, (_, n) => from[n % from.length] as Shop)
    printTable([
      ['400 orders of fifty merchants', 'placed', 'p50 s', 'p95 s', 'beside placed', 'p95 s'],
      await beside(twin, neighbours, 'alone', []),
      await beside(twin, neighbours, 'beside 300 of one merchant', crowd(many.slice(0, 1))),
      await beside(twin, neighbours, 'beside 300 of fifty others', crowd(many)),
    ])
  }
  await twin.stop()
}

const [first = 4] = instances
if (instances.length === 1) {
  await measure(first)
  tableClient.destroy()
} else {
  say(`requests to the table take ${delay.read} ms (reads) and ${delay.write} ms (writes) longer than on this machine`)
  // A process uses one table, so each number of instances runs in its own process.
  for (const count of instances) {
    const env = { ...process.env, INSTANCES: String(count) }
    execFileSync(process.execPath, process.argv.slice(1), { env, stdio: 'inherit' })
  }
}
await rm(folder, { recursive: true, force: true })
