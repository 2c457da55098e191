import { buffer } from 'node:stream/consumers'
import type { Context } from 'aws-lambda'
import * as v from 'valibot'
import { handler } from '../../functions/jobs/sweep.ts'
import { handler as sweepMerchant } from '../../functions/jobs/sweepMerchant.ts'
import { dispatchSweeps } from '../../shared/orders/checkout/dispatch.ts'
import { readSweepEvent } from '../../shared/orders/checkout/sweep.ts'
import { log } from '../../shared/platform/log.ts'
import { localServer } from '../support/local-server.ts'

type Query = {
  IndexName?: string
  ConsistentRead: boolean
  ExclusiveStartKey?: { sk: { S: string } }
  ExpressionAttributeValues: Record<string, { S: string }>
}

const pageSize = 10
const sortKey = (id: number) => String(id).padStart(16, '0')

/** The state of the fake AWS: merchants by id, with due payments, and those that fail. */
let merchants: number[] = []
let due = new Set<number>()
let inReview = new Set<number>()
let unreadable = new Set<number>()
let unstartable = new Set<number>()
/** The calls: pages of the directory, merchants that were read, events of started functions. */
let pages = 0
let asked: number[] = []
let started: { merchant: number }[] = []
let [atWork, maxAtWork, delay] = [0, 0, 0]

const reset = (ids: number[]) => {
  merchants = ids
  due = new Set(ids)
  inReview = new Set()
  unreadable = new Set()
  unstartable = new Set()
  pages = 0
  asked = []
  started = []
  ;[atWork, maxAtWork, delay] = [0, 0, 0]
}

class Refused extends Error {}

const directory = ({ ExclusiveStartKey }: Query) => {
  pages++
  const from = ExclusiveStartKey ? merchants.findIndex(id => sortKey(id) === ExclusiveStartKey.sk.S) + 1 : 0
  const page = merchants.slice(from, from + pageSize)
  const last = page.at(-1)
  const more = from + pageSize < merchants.length && last !== undefined
  const itemOf = (id: number) => ({ pk: { S: 'merchants' }, sk: { S: sortKey(id) }, name: { S: `Kellerei ${id}` } })
  return {
    Items: page.map(itemOf),
    ...(more && { LastEvaluatedKey: { pk: { S: 'merchants' }, sk: { S: sortKey(last) } } }),
  }
}

const longAgo = '2026-01-01 00:00:00'

/** The index entries of a merchant's payments, in their order, that begin with some text. */
const payments = (merchant: number, prefix: string) => {
  if (!asked.includes(merchant)) asked.push(merchant)
  if (unreadable.has(merchant)) throw new Refused('ValidationException')
  const waiting = [...(due.has(merchant) ? ['due'] : []), ...(inReview.has(merchant) ? ['review'] : [])]
  const places = waiting.map(task => `${task}#${longAgo}`).filter(place => place.startsWith(prefix))
  return { Items: places.map(S => ({ pk: { S: `m#${merchant}#payments` }, sk: { S: 'a' }, lsi1sk: { S } })) }
}

const query = (request: Query) => {
  const values = Object.values(request.ExpressionAttributeValues).map(({ S }) => S)
  const pk = values.find(text => text === 'merchants' || /^m#\d+#payments$/.test(text))
  if (pk === 'merchants') return directory(request)
  // Abandoned drafts are read eventually, too.
  if (values.some(text => /^m#\d+#queued-orders$/.test(text)) && !request.ConsistentRead) return { Items: [] }
  if (!pk || request.IndexName !== 'lsi1') throw new Refused('AccessDeniedException')
  const prefix = /^(?:due|review)/.exec(values.find(text => text !== pk) ?? '')?.[0] ?? ''
  // The first read is eventually consistent and costs half; counts of alarms and due payments are read strongly.
  if (request.ConsistentRead !== (prefix !== '')) throw new Refused('ValidationException')
  return payments(Number(pk.split('#')[1]), prefix)
}

const invoke = (event: { merchant: number }, name: string, type: unknown) => {
  if (name !== 'the-sweep-of-a-merchant' || type !== 'Event') throw new Refused('ResourceNotFoundException')
  if (unstartable.has(event.merchant)) throw new Refused('InvalidParameterValueException')
  started.push(event)
}

const aws = await localServer(async (request, response) => {
  const body = JSON.parse((await buffer(request)).toString())
  const [, name] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.url ?? '') ?? []
  maxAtWork = Math.max(maxAtWork, ++atWork)
  // The directory itself answers immediately.
  const isDirectory = Object.values((body as Query).ExpressionAttributeValues ?? {}).some(({ S }) => S === 'merchants')
  if (!isDirectory) await new Promise(done => setTimeout(done, delay))
  atWork--
  try {
    const answer = name ? invoke(body, name, request.headers['x-amz-invocation-type']) : JSON.stringify(query(body))
    response.writeHead(name ? 202 : 200).end(answer)
  } catch (error) {
    const { message } = error as Error
    response.writeHead(400, { 'x-amzn-errortype': message }).end(JSON.stringify({ __type: `x#${message}`, message }))
  }
})

Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL_DYNAMODB: aws,
  AWS_ENDPOINT_URL_LAMBDA: aws,
  TABLE_NAME: 'test',
  STARTED_FUNCTION_NAME: 'the-sweep-of-a-merchant',
})

const many = Array.from({ length: 40 }, (_, n) => n + 1)
const contextWith = (left: number) => ({ getRemainingTimeInMillis: () => left }) as Context
const run = (left = 60_000) => handler({}, contextWith(left))
const ids = () => started.map(({ merchant }) => merchant).toSorted((one, other) => one - other)

test('of merchants on several pages each one with a payment due is started once, and no other', async () => {
  reset(many)
  due = new Set(many.filter(id => id % 3 === 0))
  await run()
  expect(pages).toBe(4)
  expect(asked).toHaveLength(40)
  expect(ids()).toEqual([...due])
  expect(started[0]).toEqual({ merchant: expect.any(Number) })
})

test('merchants that cannot be read or started delay no others, and the run fails at its end', async () => {
  reset(many)
  unreadable = new Set([1, 36])
  unstartable = new Set([2, 39])
  const errors: unknown[] = []
  const { error } = log
  log.error = ((text: string, fields: { merchant: number }) => errors.push([text, fields.merchant])) as never
  await expect(run()).rejects.toThrow('4 times: a merchant could not be swept')
  log.error = error
  expect(ids()).toEqual(merchants.filter(id => !unreadable.has(id) && !unstartable.has(id)))
  const merchantsOf = errors.map(one => (one as [string, number])[1]).toSorted((one, other) => one - other)
  expect(merchantsOf).toEqual([1, 2, 36, 39])
})

test('the run returns the number of started sweeps, and of payments in review, due or not', async () => {
  reset([1, 2, 3])
  due = new Set([1, 3])
  inReview = new Set([2, 3])
  expect(await dispatchSweeps(Date.now() + 60_000)).toEqual({
    started: 2,
    inReview: 2,
    visited: 3,
    unreached: 0,
    failures: [],
  })
})

test('merchants are processed concurrently, at most twenty', async () => {
  reset(many)
  delay = 20
  await run()
  expect(started).toHaveLength(40)
  expect(maxAtWork).toBeGreaterThan(10)
  expect(maxAtWork).toBeLessThanOrEqual(20)
})

test('a run ends before its time is over; the next runs reach the remaining merchants', async () => {
  const thirty = many.slice(0, 30)
  reset(thirty)
  delay = 300
  // A visit takes three requests, so no worker begins a second visit.
  await run(40_800)
  expect(started.length).toBeLessThan(30)
  const reached = new Set(ids())
  // Without a limit but the test's own time: a busy machine may take many.
  while (reached.size < 30) {
    started = []
    await run(40_800)
    for (const id of ids()) reached.add(id)
  }
  expect([...reached].toSorted((one, other) => one - other)).toEqual(thirty)
}, 240_000)

test('a service without merchants has nothing to sweep', async () => {
  reset([])
  await run()
  expect(started).toEqual([])
})

test('the sweep of a merchant needs its id', async () => {
  reset([])
  for (const event of [{}, { merchant: 'all' }, { merchant: 0 }, null, undefined])
    await expect(sweepMerchant(event, contextWith(240_000))).rejects.toThrow()
  expect(asked).toEqual([])
})

test('the event that starts the sweep of a merchant names it, and other values are refused', () => {
  expect(readSweepEvent({ merchant: 7, hours: 0 })).toEqual({ merchant: 7 })
  for (const event of [{}, { merchant: 'all' }, { merchant: 0 }, null, undefined])
    expect(() => readSweepEvent(event)).toThrow(v.ValiError)
})

test('the sweep of a merchant reads only the payments of that merchant', async () => {
  reset([6, 7, 8])
  due = new Set()
  await sweepMerchant({ merchant: 7 }, contextWith(240_000))
  expect(asked).toEqual([7])
})
