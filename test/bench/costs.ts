import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { demoWinesOf } from '../../lib/tool/demo/cellar.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { ensureTable } from '../../lib/twin/dynamodb/process.ts'
import { addAddress } from '../../shared/addresses/store.ts'
import { addBasket, addItem } from '../../shared/baskets/store.ts'
import { changedAt } from '../../shared/events/changed.ts'
import { tellEvents } from '../../shared/events/tell.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { dispatchSweeps } from '../../shared/orders/checkout/dispatch.ts'
import { type MerchantId, merchantIdOf } from '../../shared/table/keys.ts'
import { documents } from '../../shared/table/table.ts'
import { editWine } from '../../shared/wines/edit.ts'
import { listWines } from '../../shared/wines/lists.ts'
import { publishNext } from '../../shared/wines/publishing/publish.ts'
import { publishMissed } from '../../shared/wines/publishing/runs.ts'
import { findWine } from '../../shared/wines/store.ts'
import { startTables } from '../support/table.ts'
import { printTable } from './median.ts'

// What a shop's requests take of the table, counted on the demo cellar, and what a month of them costs on AWS.

// US dollars in eu-central-1, November 2026: DynamoDB on demand and Lambda (arm64) a million, the gateway a million.
const price = { read: 0.1525, write: 0.7625, gigabyteSecond: 13.33, start: 0.2, request: 1.2 }
// Not counted here: a function of 512 MB, and what Lambda bills it for, in milliseconds.
const memoryGb = 0.5
const billedMs = 30

// Every five minutes.
const runsAMonth = (30 * 24 * 60) / 5

const soon = () => Date.now() + 60_000

type Units = { reads: number; writes: number }
let units: Units = { reads: 0, writes: 0 }

type Told = { ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[] }

documents.middlewareStack.add(
  (next, { commandName }) =>
    async args => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
      const told = [(result.output as Told).ConsumedCapacity ?? []].flat()
      const sum = told.reduce((all, { CapacityUnits = 0 }) => all + CapacityUnits, 0)
      units[/^(Get|BatchGet|Query)/.test(String(commandName)) ? 'reads' : 'writes'] += sum
      return result
    },
  { step: 'initialize', name: 'units' },
)

const counted = async (act: () => Promise<unknown>): Promise<Units> => {
  await act()
  units = { reads: 0, writes: 0 }
  await act()
  return units
}

const tables = await startTables()
Object.assign(process.env, tables.environment, { TABLE_NAME: 'bench' })
await ensureTable(new URL(tables.environment.TEST_TABLE ?? ''), 'bench', tables.properties)
// The bus takes all. There are no snapshots: what reading one costs is S3's, and once in an instance's life.
const others = createServer((request, response) => {
  if (!request.headers['x-amz-target']) return response.writeHead(404).end()
  response.end(JSON.stringify({ FailedEntryCount: 0, Entries: Array(10).fill({ EventId: 'e' }) }))
}).listen(0, '127.0.0.1')
await once(others, 'listening')
const url = `http://127.0.0.1:${(others.address() as AddressInfo).port}`
Object.assign(process.env, { BUCKET_NAME: 'none', AWS_ENDPOINT_URL_S3: url })
Object.assign(process.env, { EVENT_BUS_NAME: 'bench', AWS_ENDPOINT_URL_EVENTBRIDGE: url })
// Loaded by then only: it works on the table that the environment names.
const { newQueueShop } = await import('../support/queue-shop.ts')

const cellar = async (): Promise<MerchantId> => {
  const merchant = merchantIdOf((await createMerchant({ name: 'Keller' })).id)
  await importWines(merchant, demoWinesOf('elbufer'))
  return merchant
}
const merchant = await cellar()
const [wine] = (await listWines(merchant, { page: 1 } as Parameters<typeof listWines>[1], '')).data
const { id = 0 } = wine ?? {}
const shop = await newQueueShop()
const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', company: 'Zum Krug' }
let turn = 0

const productItem = { item_type: 'product', item_id: 1, quantity: 1 } as const
const placed = [await shop.place(), await shop.place()].map(({ data }) => data.id)
const cancelling = { event: 'cancel', actor: 'bench' } as const

type Step = { what: string; of1000: number; act: () => Promise<unknown> }
const search = { page: 1, pageSize: 16, query: { anywhere: 'riesling' } } as Parameters<typeof listWines>[1]

const steps: Step[] = [
  { what: 'a list or search of wines', of1000: 650, act: () => listWines(merchant, search, '') },
  { what: 'a wine', of1000: 250, act: () => findWine(merchant, { id }) },
  {
    what: 'a basket with one more wine',
    of1000: 80,
    act: async () => addItem(shop.merchant, (await addBasket(shop.merchant)).uuid, productItem),
  },
  { what: 'an address', of1000: 8, act: () => addAddress(shop.merchant, 1, home as Parameters<typeof addAddress>[2]) },
  {
    what: 'an order, told to the bus',
    of1000: 8,
    act: async () => {
      await shop.place()
      await tellEvents(changedAt([shop.merchant]), soon())
    },
  },
  { what: 'a cancellation', of1000: 1, act: async () => cancelById(shop.merchant, placed.pop() ?? 0, cancelling) },
  { what: 'a wine edited', of1000: 3, act: () => editWine(merchant, id, { sorting: ++turn }) },
]

const rows = [['', 'reads', 'writes', 'of 1,000 requests']]
const sum: Units = { reads: 0, writes: 0 }
for (const { what, of1000, act } of steps) {
  const { reads, writes } = await counted(act)
  rows.push([what, String(reads), String(writes), String(of1000)])
  sum.reads += (reads * of1000) / 1000
  sum.writes += (writes * of1000) / 1000
}
while ((await publishNext(merchant)) === 'more');
units = { reads: 0, writes: 0 }
await editWine(merchant, id, { sorting: ++turn })
const { ...edited } = units
await publishNext(merchant)
process.stdout.write(`to publish an edit: ${units.reads - edited.reads} reads, ${units.writes - edited.writes} writes
`)
printTable(rows)

// What the jobs of the clock look at where nothing has happened, in the reads of one run, of each of some merchants more.
const idle = async (): Promise<number> => {
  units = { reads: 0, writes: 0 }
  await Promise.all([dispatchSweeps(soon()), publishMissed(soon()), tellEvents({}, soon())])
  return units.reads
}
await tellEvents({}, soon())
await publishMissed(soon())
const few = await idle()
const more = 20
for (let n = 0; n < more; n++) await createMerchant({ name: `Weiler ${n}` })
const reads = ((await idle()) - few) / more
const monthly = (reads * runsAMonth * price.read) / 1_000_000
process.stdout.write(`\na merchant: ${reads} reads a run of the clock, which is $${monthly.toFixed(4)} a month\n`)

const perRequest = {
  gateway: price.request,
  Lambda: price.start + (billedMs / 1000) * memoryGb * price.gigabyteSecond,
  DynamoDB: sum.reads * price.read + sum.writes * price.write,
}
process.stdout.write(`\na request: ${sum.reads.toFixed(2)} reads, ${sum.writes.toFixed(2)} writes\n`)
const months = [1_000, 100_000, 10_000_000]
printTable([
  ['US dollars a month', ...months.map(count => count.toLocaleString('en'))],
  ...Object.entries(perRequest).map(([name, million]) => [
    name,
    ...months.map(count => ((million * count) / 1_000_000).toFixed(2)),
  ]),
])
documents.destroy()
others.closeAllConnections()
others.close()
await tables.close()
