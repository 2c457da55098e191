import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { key, merchantIdOf } from '../../shared/platform/table/keys.ts'
import { putItem } from '../../shared/platform/table/table.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { eventually } from '../support/eventually.ts'
import type { Json } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { givePayPal } from '../support/paypal/account.ts'
import type { Account } from '../support/paypal/control.ts'
import { atPayPal, paidTwice } from '../support/paypal-checkout.ts'
import { startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { toolProcess } from '../support/tool.ts'

// The service is killed while buyers order, pay and cancel, the merchant credits bottles and refunds them at PayPal, and the
// sweep reconciles the payments.

const kills = Number(process.env.KILLS ?? 1)
const buyers = 6
const bottles = 1_000_000
const brand = 'Kellerei im Sturm'

const folder = temporaryFolder('payment-kills')
let running: TwinProcess | undefined

afterAll(async () => {
  await running?.stop('SIGKILL')
})

const start = async (): Promise<TwinProcess> => {
  running = await startTwinProcess(folder, { environment: { DEMO: 'no', TIMERS: 'no' } })
  return running
}

type Call = (route: string, body: object, headers?: Record<string, string>) => Promise<{ status: number; json: Json }>

const callerOf =
  (url: string, token?: string): Call =>
  async (route, body, more = {}) => {
    const authorization = token && { authorization: `Bearer ${token}` }
    const headers = { 'content-type': 'application/json', ...authorization, ...more }
    const response = await fetch(`${url}/service/${route}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, json: await response.json() }
  }

/** Makes a merchant with a session, a wine that is counted, and an address to send it to. */
const furnish = async ({ connection }: TwinProcess) => {
  actAsOperator(connection)
  const account = await createMerchant({ name: brand, paymentTypes: ['paypal'], paymentProvider: 'paypal' })
  await givePayPal(account)
  const { token: apiToken } = await issueToken(account, 'test', { role: 'desk' })
  const { token } = (await callerOf(connection.url)('login', { authid: account.authid, token: apiToken })).json
  const call = callerOf(connection.url, token)
  const riesling = { name: 'Riesling', type: 'white', countrycode: 'de', region: 1008, gross: '9.50', taxrate: 19 }
  const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', company: 'Zum Korken' }
  const { id: wine } = (await call('wines/add', { data: riesling })).json.data
  const { id: billing_id } = (await call('addresses/add', { data: home })).json.data
  await putItem(key('stock', { merchant: merchantIdOf(account.id), type: 'wine', id: wine }), { quantity: bottles })
  const urls = { return_url: 'https://shop.example/done', cancel_url: 'https://shop.example/cancelled' }
  const items = [{ item_type: 'wine', item_id: wine, quantity: 2 }]
  const order = { billing_type: 'address', billing_id, payment_type: 'paypal', items, ...urls }
  return { token: token as string, order, merchant: account.id, initial: { [`wine#${wine}`]: bottles } }
}

/** The answers that shops got: uuids of orders that were placed, paid and cancelled. */
const acknowledged = { placed: new Set<string>(), paid: new Set<string>(), cancelled: new Set<string>() }

/** Credits of one bottle each, by their Idempotency-Keys: those that were requested, and those that were answered. */
const credits = { asked: new Map<string, { uuid: string; body: object }>(), answered: new Set<string>() }

const credit = async (call: Call, key: string): Promise<void> => {
  const { uuid = '', body = {} } = credits.asked.get(key) ?? {}
  const { status, json } = await call('orders/credit', { uuid, ...body }, { 'idempotency-key': key })
  if (status === 200) credits.answered.add(key)
  else if (status < 500) throw new Error(`a credit of order ${uuid} is refused: ${status} ${json.error}`)
}

/** Credits one bottle, or each of both. */
const creditSome = async (call: Call, { uuid, positions }: Json): Promise<void> => {
  const body = { positions: [{ id: positions[0].id, quantity: 1 }], refund: 'provider', restock: Math.random() < 0.5 }
  const keys = counted(Math.random() < 0.3 ? 2 : 1).map(() => randomUUID())
  for (const key of keys) credits.asked.set(key, { uuid, body })
  await Promise.all(keys.map(key => credit(call, key)))
}

const buy = async (call: Call, order: object): Promise<void> => {
  const { status, json } = await call('orders/add', { data: order }, { 'idempotency-key': randomUUID() })
  if (status !== 200) return
  const { uuid } = json.data
  const { external_id, uuid: payment_id } = json.payment
  acknowledged.placed.add(uuid)
  const back = await atPayPal(external_id, { deed: 'approve' })
  const payer_id = back?.searchParams.get('PayerID')
  const finish = async () => {
    const body = { payment_type: 'paypal', payment_id, order_id: uuid, external_id, payer_id }
    const done = await call('orders/checkout/finish', body)
    if (done.status !== 200 || !done.json.data.paid) return
    acknowledged.paid.add(uuid)
    if (Math.random() < 0.6) await creditSome(call, json.data)
  }
  const cancel = async () => {
    if ((await call('orders/checkout/cancel', { order_id: uuid })).status === 200) acknowledged.cancelled.add(uuid)
  }
  const chance = Math.random()
  if (chance < 0.4) await finish()
  else if (chance < 0.55) await cancel()
  else if (chance < 0.85) await Promise.all([finish(), cancel()])
  // The others closed the window.
}

const sweepAll = () => toolProcess(['sweep', '--hours', '1'], folder)
const run = promisify(execFile)
const script = async (name: string, ...words: string[]): Promise<string> =>
  (await run(process.execPath, [`test/support/${name}.ts`, folder, ...words], { env: childEnvironment() })).stdout

test(
  `money, orders, stock and documents are consistent after the service was killed ${kills} times`,
  async () => {
    let twin = await start()
    const { token, order, merchant, initial } = await furnish(twin)
    for (let n = 0; n < kills; n++) {
      const call = callerOf(twin.connection.url, token)
      let isOver = false
      const whileItLives = async (act: () => Promise<unknown>) => {
        while (!isOver) await act().catch(() => pause(5))
      }
      const answers = () => credits.answered.size
      const before = answers()
      const work = [...counted(buyers).map(() => whileItLives(() => buy(call, order))), whileItLives(sweepAll)]
      await eventually(() => answers() > before, Boolean, 20)
      await pause(Math.random() * 800)
      await twin.stop('SIGKILL')
      isOver = true
      await Promise.all(work)
      twin = await start()
    }

    const call = callerOf(twin.connection.url, token)
    // A shop repeats what was not answered.
    for (const key of credits.asked.keys())
      await eventually(
        () => credit(call, key),
        () => credits.answered.has(key),
        20,
      )
    await script('expire-claims', String(merchant))
    for (let n = 0; n < 3; n++) expect(await sweepAll()).toMatchObject({ code: 0 })
    expect(JSON.parse(await script('check-data', String(merchant), JSON.stringify(initial)))).toEqual([])
    expect(await paidTwice(brand)).toEqual([])
    expect(acknowledged.placed.size).toBeGreaterThan(kills)

    const pages = Math.ceil((await call('orders/getAll', { pageSize: 1 })).json.totalCount / 50)
    const orders: Json[] = []
    for (let page = 1; page <= pages; page++)
      orders.push(...(await call('orders/getAll', { page, pageSize: 50, include: 'documents' })).json.data)
    const byUuid = new Map(orders.map(one => [one.uuid, one]))
    for (const uuid of acknowledged.placed) expect(byUuid.has(uuid)).toBe(true)
    const creditsOf = Map.groupBy(credits.asked.values(), ({ uuid }) => uuid)
    // Crediting both bottles cancels the order.
    for (const uuid of acknowledged.paid) {
      const asked = creditsOf.get(uuid)?.length ?? 0
      const { paid, documents } = byUuid.get(uuid)
      expect([uuid, paid, documents.creditAdvices.length]).toEqual([uuid, asked < 2, asked])
    }
    for (const uuid of acknowledged.cancelled) expect([uuid, byUuid.get(uuid).status]).toEqual([uuid, 'cancelled'])

    // The money at PayPal is that of the paid orders here.
    const asked = `${process.env.TEST_PAYPAL}/control/orders?brand=${encodeURIComponent(brand)}`
    const books = (await (await fetch(asked)).json()) as Account[]
    const kept = books
      .filter(({ takenCents, refundedCents }) => takenCents !== refundedCents)
      .map(({ payment, takenCents, refundedCents }) => `${payment} ${takenCents - refundedCents}`)
    const centsOf = (amounts: Json[], name: string) =>
      amounts.reduce((sum, one) => sum + Math.round(one[name] * 100), 0)
    const paid = orders
      .filter(one => one.paid && one.status !== 'cancelled')
      .flatMap(({ documents: { payments, creditAdvices } }) =>
        payments.map((one: Json) => `${one.uuid} ${centsOf([one], 'amount') - centsOf(creditAdvices, 'gross')}`),
      )
    expect(kept.toSorted()).toEqual(paid.toSorted())
    process.stderr.write(
      `${kills} kills: ${orders.length} orders, ${paid.length} paid, ${acknowledged.cancelled.size} cancelled by shops, ${books.filter(({ refundedCents }) => refundedCents > 0).length} given back, ${credits.asked.size} bottles credited\n`,
    )
  },
  180_000 + kills * 20_000,
)
