import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { taskKey } from '../../shared/payments/record.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import { timestamp } from '../../shared/values/time.ts'
import { eventually } from '../support/eventually.ts'
import { newOwnShop, type Placed } from '../support/own-shop.ts'
import { givePayPal } from '../support/paypal/account.ts'
import { invokeOn, startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A PayPal that opens payments; it answers that they are unpaid, or not at all while it is down. */
const unanswered: ServerResponse[] = []
let isDead = true
let orders = 0
const orderOf = (id: string, url: string) => ({
  id,
  status: 'PAYER_ACTION_REQUIRED',
  links: [{ rel: 'payer-action', href: `${url}/approve/${id}`, method: 'GET' }],
})
const paypal = createServer((request, response) => {
  const url = `http://${request.headers.host}`
  const answer = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.url === '/v1/oauth2/token')
    answer(200, { access_token: 'a-token', token_type: 'Bearer', expires_in: 9000 })
  else if (request.method === 'POST' && request.url === '/v2/checkout/orders')
    answer(201, orderOf(`ORDER${++orders}`, url))
  else if (isDead) unanswered.push(response)
  else answer(200, orderOf(request.url?.split('/').at(-1) ?? '', url))
})

const folder = temporaryFolder('sweep')
let twin: TwinProcess

beforeAll(async () => {
  await new Promise<void>(done => paypal.listen(0, '127.0.0.1', done))
  // A twin of this file's own: the sweep reads the orders of all merchants.
  twin = await startTwinProcess(folder, { environment: { DEMO: 'no', TIMERS: 'no' } })
  actAsOperator(twin.connection)
})

afterAll(async () => {
  await twin.stop()
  paypal.closeAllConnections()
  paypal.close()
})

type OwnShop = Awaited<ReturnType<typeof newOwnShop>>

const newShop = (name: string, provider?: 'paypal') => newOwnShop(twin.connection, name, provider)

/** Makes the sweep's next look at an order's payment due now. */
const makeDue = ({ merchant }: OwnShop, { payment: { uuid } }: Placed, set: { crstamp?: string } = {}) =>
  updateItem(key('payment', { merchant, uuid }), { set, index: taskKey('due', Date.now() - 1000) })

/** An order that is unpaid for 25 hours. */
const placeLongAgo = async (shop: OwnShop): Promise<Placed> => {
  const placed = await shop.place()
  await makeDue(shop, placed, { crstamp: timestamp(Date.now() - 25 * 3_600_000) })
  return placed
}

const isCancelled = async ({ statusOf }: OwnShop, { data }: Placed) => (await statusOf(data.id)) === 'cancelled'

const logged = async (text: string): Promise<Record<string, unknown>[]> =>
  (await readFile(join(folder, 'service.log'), 'utf8'))
    .split('\n')
    .filter(line => line.startsWith('{') && line.includes(text))
    .map(line => JSON.parse(line))

test('a merchant whose provider is down does not delay the sweep of others', async () => {
  const before = await newShop('Weingut Vorher')
  const beforeOrder = await placeLongAgo(before)
  const dead = await newShop('Weingut Totenstill', 'paypal')
  await givePayPal({ id: dead.merchant }, `http://127.0.0.1:${(paypal.address() as AddressInfo).port}`)
  const deadOrders = [await placeLongAgo(dead), await placeLongAgo(dead)]
  const after = await newShop('Weingut Nachher')
  const afterOrder = await placeLongAgo(after)
  const young = await after.place()

  isDead = true
  expect(await invokeOn(twin, 'jobs/sweep')).toBeUndefined()
  expect(await eventually(async () => (await isCancelled(before, beforeOrder)) && isCancelled(after, afterOrder))).toBe(
    true,
  )
  // Meanwhile the sweep of that merchant waits for its provider.
  expect(await eventually(() => unanswered.length > 0)).toBe(true)
  expect(await Promise.all(deadOrders.map(order => isCancelled(dead, order)))).toEqual([false, false])
  expect(await after.statusOf(young.data.id)).toBe('new')

  // The next runs do the remaining work, also while the first run continues.
  isDead = false
  for (const response of unanswered) response.destroy()
  const nextRun = async () => {
    for (const order of deadOrders) await makeDue(dead, order)
    expect(await invokeOn(twin, 'jobs/sweep')).toBeUndefined()
    return (await Promise.all(deadOrders.map(order => isCancelled(dead, order)))).every(Boolean)
  }
  expect(await eventually(nextRun)).toBe(true)
})

test('an unexpected failure is reported with merchant and order, after the remaining work', async () => {
  const shop = await newShop('Weingut Kaputt')
  const [broken, fine] = [await placeLongAgo(shop), await placeLongAgo(shop)]
  const { merchant } = shop
  await updateItem(key('order', { merchant, id: broken.data.id }), { set: { doc: 'no order' } })
  const next = await newShop('Weingut Nebenan')
  const nextOrder = await placeLongAgo(next)

  expect(await invokeOn(twin, 'jobs/sweepMerchant', { merchant })).toContain(
    `merchant ${merchant}: 1 payments met with a fault`,
  )
  expect(await isCancelled(shop, fine)).toBe(true)
  const lines = await logged('a payment could not be reconciled')
  expect(lines.filter(line => line.merchant === merchant)).toMatchObject([{ level: 'ERROR', order: broken.data.id }])

  expect(await invokeOn(twin, 'jobs/sweep')).toBeUndefined()
  expect(await eventually(() => isCancelled(next, nextOrder))).toBe(true)
})
