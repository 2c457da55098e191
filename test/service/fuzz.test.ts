import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import fc from 'fast-check'
import { routes } from '../../shared/contract/index.ts'
import { documents, tableName } from '../../shared/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newBasket, returning } from '../support/checkout.ts'
import { bodiesFor, type Known } from '../support/fuzz.ts'
import { type Answer, call, newClient, twin } from '../support/harness.ts'
import { sortedJson } from '../support/written-down.ts'

// FUZZ: how many requests each route gets. SEED: the same ones again.
const runs = Number(process.env.FUZZ ?? 5)
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const isLong = runs >= 100

const shop = await newCellar('Kellerei Rausch', ['invoice', 'paypal', 'prepaid'])
const client = await newClient(shop)
const home = { address: 'Weg 2', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Krug' }
const data = { billing_id: client.id, payment_type: 'paypal', items: itemsOf(shop, { juice: 1 }), ...returning }
const placed = (await shop.call('orders/add', { data })).json
const address = (await shop.call('addresses/add', { data: home })).json.data.id
const basket = await newBasket(shop, shop.wine.juice ?? 0, 3)
const wines = [shop.wine.juice, shop.wine.secco]

/** What fields may name, so that requests reach further than to a record that is not there. */
const known: Known = {
  id: [...wines, address, placed.data.id, client.id],
  item_id: wines,
  uuid: [basket, placed.data.uuid],
  basket_uuid: [basket],
  billing_id: [client.id],
  client_id: [client.id],
  order_id: [placed.data.uuid],
  payment_id: [placed.payment.uuid],
  external_id: [placed.payment.external_id],
  return_url: [returning.return_url, 'https:evil.example'],
  cancel_url: [returning.cancel_url],
  authid: [shop.authid],
  filter: [
    [],
    { type: 'white' },
    { shop: true, vintage: [2020, '2021'] },
    { grapetypeIds: Array(1000).fill(7) },
    { x: 1 },
  ],
  query: ['riesling', '🍷'.repeat(200), { name: 'r', place: 'x' }, { categoryIds: 7 }, { x: 'y' }],
  orderBy: ['name', 'vintage DESC, id', 'name,'.repeat(9), 'nonsense'],
}

const mostBytes = 6 * 1024 * 1024

type Sent = { path: string; body: unknown; status: number; ms: number }
const all: Sent[] = []
const rss: number[] = []

const memory = async (): Promise<number> => {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(twin.pid)])
  return Number(stdout) / 1024
}

const send = async (path: string, level: string, body: unknown): Promise<Answer> => {
  const start = performance.now()
  const answer = await call(path, body, level === 'service' ? { token: shop.token } : {})
  const { status } = answer
  if (isLong && rss.length < Math.floor(all.length / 500)) rss.push(await memory())
  all.push({ path, status, ms: performance.now() - start, body: status < 400 ? undefined : body })
  return answer
}

/** Everything of the merchant, as texts. */
const own = async (): Promise<string[]> => {
  const found: string[] = []
  let ExclusiveStartKey: Record<string, unknown> | undefined
  do {
    const page = await documents.send(
      new ScanCommand({
        TableName: tableName(),
        ConsistentRead: true,
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    )
    for (const item of page.Items ?? []) if (String(item.pk).startsWith(`m#${shop.id}#`)) found.push(sortedJson(item))
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return found.sort()
}

const posted = routes.filter(({ methods }) => methods.includes('POST'))

test.each(posted.map(({ path }) => path))(
  '%s answers whatever is sent to it, and is never to blame',
  async path => {
    const { body, level } = posted.find(one => one.path === path) ?? {}
    await fc.assert(
      fc.asyncProperty(bodiesFor(body, known), async sent => {
        const answer = await send(path, level ?? '', sent)
        // That a refusal's word is declared, and an answer as its schema has it, is checked with every answer.
        expect(answer.status).toBeLessThan(500)
        expect(JSON.stringify(answer.text).length).toBeLessThan(mostBytes)
      }),
      { numRuns: runs, seed, endOnFailure: true },
    )
  },
  isLong ? 1_200_000 : 60_000,
)

test(
  'what was refused left nothing behind',
  async () => {
    const refused = all.filter(({ path, status }) => status >= 400 && path.startsWith('/service/')).slice(-500)
    const before = await own()
    let again = 0
    for (const { path, body } of refused) {
      const { status } = await send(path, 'service', body)
      if (status < 400) again++
    }
    // What was refused because of something else may be right by now.
    if (again === 0) expect((await own()).filter(item => !before.includes(item))).toEqual([])
    expect(again).toBeLessThanOrEqual(refused.length / 20)
  },
  isLong ? 600_000 : 60_000,
)

afterAll(() => {
  if (!isLong) return
  const slowest = all.toSorted((one, other) => other.ms - one.ms).slice(0, 5)
  const half = rss.slice(Math.floor(rss.length / 3))
  const middle = (half.length - 1) / 2
  const mean = half.reduce((sum, mb) => sum + mb, 0) / half.length
  const slope =
    half.reduce((sum, mb, n) => sum + (n - middle) * (mb - mean), 0) /
    half.reduce((sum, _, n) => sum + (n - middle) ** 2, 0)
  const lines = [
    `seed ${seed}: ${all.length} requests, ${all.filter(({ status }) => status < 400).length} of them taken`,
    ...slowest.map(({ path, ms, status }) => `slowest: ${path} ${status} ${ms.toFixed(0)} ms`),
    `memory of the twin: ${rss[0]?.toFixed(0)} MB to ${rss.at(-1)?.toFixed(0)} MB, ${(2 * slope).toFixed(2)} MB per 1,000 requests after the first third`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
})
