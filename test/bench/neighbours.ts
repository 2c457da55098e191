import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actAsOperator } from '../../lib/tool/connect.ts'
import type { WineRow } from '../../lib/tool/imports/wine-writes.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { completeClient } from '../../shared/contract/records/client.ts'
import { key, lastNumber, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { putItem, queryEntries } from '../../shared/platform/table/table.ts'
import { startTwinProcess } from '../support/running-twin.ts'
import { printTable } from './median.ts'

// Measures the times of a quiet merchant's lists, edits, sheets and orders, alone and next to a merchant that sends so
// many requests a second (LOUD) of the heaviest kinds, in turns. All functions share two cores here, so that slower
// requests may be due to the CPU alone.

const loudRate = Number(process.env.LOUD ?? 5)
const rounds = Number(process.env.ROUNDS ?? 6)
const count = Number(process.env.COUNT ?? 40)

const rows = (size: number, letters: number): WineRow[] =>
  Array.from({ length: size }, (_, n) => ({
    ...{ name: `Wein ${n}`, articlenumber: String(n), type: 'red', countrycode: 'de', region: 1003, gross: '12.50' },
    ...{ taxrate: 19, public: 1, shop: 1, description: 'Fass \u00a0'.repeat(letters / 6) },
  })) as WineRow[]

type Shop = { post: (route: string, body: object) => Promise<number>; ids: number[] }

const newShop = async (url: string, name: string, wines: readonly WineRow[]): Promise<Shop> => {
  const account = await createMerchant({ name })
  const merchant = account.id as MerchantId
  const { token: apiToken } = await issueToken(account, 'bench')
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const send = (route: string, body: object) =>
    fetch(`${url}/service/${route}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { token } = (await (await send('login', { token: apiToken, authid: account.authid })).json()) as {
    token: string
  }
  headers.authorization = `Bearer ${token}`
  await importWines(merchant, wines)
  const ids = (await queryEntries({ pk: partition('wine', { merchant }) })).map(({ sk }) => lastNumber(sk))
  const home = { address: 'Am Maß 1', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Maß' }
  await putItem(key('client', { merchant, id: 1 }), completeClient({ ...home, id: 1, customers_id: merchant }))
  const post = async (route: string, body: object) => {
    const answer = await send(route, body)
    const text = await answer.text()
    if (answer.status !== 200) process.stderr.write(`${name} ${route} ${answer.status} ${text.slice(0, 200)}\n`)
    return answer.status
  }
  return { post, ids }
}

type Asking = (shop: Shop, n: number) => Promise<number>

const kinds: Readonly<Record<string, Asking>> = {
  lists: ({ post }, n) => post('wines/getAll', { query: `wein ${n % 10}`, pageSize: 100 }),
  edits: ({ post, ids }, n) => post('wines/edit', { id: ids[n % ids.length], data: { sorting: n } }),
  sheets: ({ post, ids }, n) => post('wines/getExpertise', { id: ids[n % ids.length] }),
  orders: ({ post, ids }, n) => {
    const items = [{ item_type: 'wine', item_id: ids[n % ids.length], quantity: 1 }]
    return post('orders/add', { data: { billing_id: 1, payment_type: 'invoice', items } })
  },
}

const names = Object.keys(kinds)

/** Milliseconds of requests of one kind, one after the other. */
const timed = async (shop: Shop, name: string): Promise<number[]> => {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const start = performance.now()
    const status = await kinds[name]?.(shop, n)
    if (status !== 200) throw new Error(`${name} answers ${status}`)
    times.push(performance.now() - start)
  }
  return times
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0

/** Sends requests of all kinds at a constant rate, without waiting for responses, until it is stopped. */
const shout = (shop: Shop) => {
  const answers = new Map<number, number>()
  const open = new Set<Promise<void>>()
  let n = 0
  const timer = setInterval(() => {
    const one = (kinds[names[n % names.length] ?? ''] as Asking)(shop, n++).then(
      status => void answers.set(status, (answers.get(status) ?? 0) + 1),
      () => void answers.set(0, (answers.get(0) ?? 0) + 1),
    )
    open.add(one)
    one.finally(() => open.delete(one))
  }, 1000 / loudRate)
  return async () => {
    clearInterval(timer)
    await Promise.all(open)
    return answers
  }
}

const folder = await mkdtemp(join(tmpdir(), 'weinkontor-bench-'))
const twin = await startTwinProcess(folder, { environment: { DEMO: 'no', TIMERS: 'no', INSTANCES: '16' } })
actAsOperator(twin.connection)
const { url } = twin.connection
const quiet = await newShop(url, 'Stille Kellerei', rows(200, 300))
const loud = await newShop(url, 'Laute Kellerei', rows(400, 9000))
for (const name of names) {
  await timed(quiet, name)
  await kinds[name]?.(loud, 0)
}
const table = names.map(name => ({ name, alone: [] as number[], beside: [] as number[] }))
const answers = new Map<number, number>()
for (let round = 0; round < rounds; round++) {
  for (const { name, alone } of table) alone.push(...(await timed(quiet, name)))
  const stop = shout(loud)
  for (const { name, beside } of table) beside.push(...(await timed(quiet, name)))
  for (const [status, times] of await stop()) answers.set(status, (answers.get(status) ?? 0) + times)
}
await twin.stop()
await rm(folder, { recursive: true, force: true })
printTable([
  ['quiet merchant', 'p95 alone', `p95 beside ${loudRate}/s`, 'ratio'],
  ...table.map(({ name, alone, beside }) => {
    const [one, other] = [p95(alone), p95(beside)]
    return [name, `${one.toFixed(1)} ms`, `${other.toFixed(1)} ms`, (other / one).toFixed(2)]
  }),
])
process.stdout.write(
  `the loud one was answered: ${[...answers].map(([status, times]) => `${times} × ${status}`).join(', ')}\n`,
)
