import * as v from 'valibot'
import { Problem } from '../../shared/contract/errors.ts'
import { Finish } from '../../shared/contract/routes/checkout.ts'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { cancelOrder } from '../../shared/orders/checkout/cancel.ts'
import { finishOrder } from '../../shared/orders/checkout/finish.ts'
import { placeOrder } from '../../shared/orders/placing/place.ts'
import { orderOf } from '../../shared/orders/record.ts'
import type { Provider } from '../../shared/payments/provider.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import { choose, findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { getItem, queryEntries, tableClient, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newBasket, returning, setStock } from '../support/checkout.ts'
import { type Json, newClient, twin } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'
import { sampleUnlessAll } from '../support/sampling.ts'

// Orders are placed, finished and cancelled in this process, where calls can be made to fail.
Object.assign(process.env, { ALLOW_SANDBOX: '1', SANDBOX_URL: twin.url })

const bottles = 10_000

const newPlace = async () => {
  const shop = await newCellar('Kellerei Störung', ['paypal', 'invoice'])
  const secco = shop.wine.secco as number
  await setStock(shop, 'wine', secco, bottles)
  return { shop, merchant: shop.id, secco, billing_id: (await newClient(shop)).id }
}

// A merchant for each kind of work, so that checking everything stays quick.
let { shop, merchant, secco, billing_id } = await newPlace()
const check = () => violations(merchant, { [`wine#${secco}`]: bottles })
const ordered = async () => (await getItem(key('numbers', { merchant, counter: 'orders' })))?.last ?? 0

/** Orders that were placed and cancelled again since the order of a number. */
const cancelledSince = async (before: number): Promise<number> => {
  const entries = await queryEntries({ pk: partition('order', { merchant }) })
  const since = entries.map(({ item }) => orderOf(item).header).filter(({ id }) => id > before)
  return since.filter(({ status }) => status === 'cancelled').length
}

/** Which call fails next, and whether the other side has done its work by then. */
type Fault = { call: number; when: 'before' | 'after'; calls: number }
type Side = 'table' | 'provider'
const faults: Partial<Record<Side, Fault>> = {}

const failing = async <T>(side: Side, act: () => Promise<T>, error: () => Error): Promise<T> => {
  const fault = faults[side]
  if (!fault || ++fault.calls !== fault.call) return act()
  if (fault.when === 'after') await act()
  throw error()
}

tableClient.middlewareStack.add(
  next => args =>
    failing(
      'table',
      () => next(args),
      () => Object.assign(new Error('no answer'), { name: 'TimeoutError' }),
    ),
  { step: 'initialize', priority: 'high', name: 'fault' },
)

const provider = await providerOf({ id: merchant, payment_provider: 'sandbox' })
const real: Provider = { ...provider }
const lost = () => new Problem('payment_provider_timeout')
Object.assign(provider, {
  account: real.account,
  open: request => failing('provider', () => real.open(request), lost),
  inspect: id => failing('provider', () => real.inspect(id), lost),
  capture: (id, requestId) => failing('provider', () => real.capture(id, requestId), lost),
  refund: (...args) => failing('provider', () => real.refund(...args), lost),
  inspectRefund: refundId => failing('provider', () => real.inspectRefund(refundId), lost),
} satisfies Provider)

const placing = () => ({ merchant, user: { id: 1, name: 'test' } })
let keys = 0
const order = (data: object) =>
  v.parse(NewOrder, { billing_id, payment_type: 'invoice', items: itemsOf(shop, { secco: 2 }), ...data })
const external = { payment_type: 'paypal', ...returning }

/** Something to be done once, whose repeat does the same. */
type Work = { act: () => Promise<unknown>; done: () => Promise<void> }

/** A claim that was not released expires; here it is released immediately. */
const minuteLater = async (uuid: string): Promise<void> => {
  await updateItem(key('payment', { merchant, uuid }), { set: { lease: 0 } })
}

const adding = async (data: object, idempotencyKey: string | null): Promise<Work> => {
  const before = await ordered()
  const request = { data: order(data), idempotencyKey }
  const act = () => placeOrder(placing(), request)
  return {
    act,
    done: async () => {
      const { data: placed, targetUrl } = await act()
      // An order whose payment could not be opened is cancelled, and its number with it.
      const failed = await cancelledSince(before)
      expect([placed.id, await ordered()]).toEqual([before + 1 + failed, before + 1 + failed])
      expect(Boolean(targetUrl)).toBe(placed.payment_type === 'paypal')
    },
  }
}

const approved = async (): Promise<{ request: Finish; uuid: string; payment: string }> => {
  const { data, payment } = await placeOrder(placing(), { data: order(external), idempotencyKey: null })
  const id = payment?.external_id ?? ''
  const { nonce = '' } = (await findSandboxPayment(id)) ?? {}
  const chosen = await choose(id, { nonce, choice: 'approve', behaviour: 'prompt' })
  const ids = { payment_id: payment?.uuid, order_id: data.uuid, external_id: id, payer_id: chosen?.payerId }
  return { request: v.parse(Finish, { payment_type: 'paypal', ...ids }), uuid: data.uuid, payment: payment?.uuid ?? '' }
}

const finishing = async (): Promise<Work> => {
  const { request, payment } = await approved()
  const act = () => finishOrder(merchant, request, 'test')
  return {
    act,
    done: async () => {
      await minuteLater(payment)
      expect(await act()).toMatchObject({
        data: { status: 'need_package', paid: true },
        payment: { status: 'captured' },
      })
      expect((await findSandboxPayment(request.external_id))?.captures).toBe(1)
    },
  }
}

const cancelling = (uuid: string, payment?: string): Work => {
  const act = () => cancelOrder(merchant, { uuid }, 'test')
  return {
    act,
    done: async () => {
      if (payment) await minuteLater(payment)
      expect((await act()).status).toBe('cancelled')
    },
  }
}

const placed = async (data: object): Promise<Json> =>
  (await placeOrder(placing(), { data: order(data), idempotencyKey: null })).data

/** A finish that failed after it claimed the payment: a minute later the next request has to ask the provider first. */
const abandoned = async (): Promise<Work> => {
  const { request, uuid, payment } = await approved()
  // The first call asks, the second takes.
  faults.provider = { call: 2, when: 'before', calls: 0 }
  await finishOrder(merchant, request, 'test').catch(() => {})
  delete faults.provider
  expect((await getItem(key('payment', { merchant, uuid: payment })))?.status).toBe('capturing')
  return cancelling(uuid, payment)
}

const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Krug' }

const works: Record<string, () => Promise<Work>> = {
  'placing an order with a key': () => adding({ billing_id: null, billing: home, delivery: home }, `key ${++keys}`),
  'placing an order of a basket': async () => adding({ basket: await newBasket(shop, secco, 3) }, null),
  'placing an order that is paid externally': () => adding(external, `key ${++keys}`),
  'finishing an order': finishing,
  'cancelling an order on account': async () =>
    cancelling((await placed({ basket: await newBasket(shop, secco, 3) })).uuid),
  'cancelling an order that is to be paid': async () => cancelling((await placed(external)).uuid),
  'cancelling an order whose payment was claimed': abandoned,
}

/** Makes the first call fail, then the second, until there are no more. Returns their number. */
const everyCall = async (side: Side, when: Fault['when'], prepare: () => Promise<Work>): Promise<number> => {
  for (let call = 1; ; call++) {
    const { act, done } = await prepare()
    const fault: Fault = { call, when, calls: 0 }
    faults[side] = fault
    const error = await act().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    delete faults[side]
    // A failure that the caller did not cause must be an answer that allows a repeat.
    if (error !== undefined) expect(error instanceof Problem || error instanceof Unavailable).toBe(true)
    expect([side, when, call, ...(await check())]).toEqual([side, when, call])
    await done()
    if (fault.calls < call) return call - 1
  }
}

// `npm run test:long` tries all of them.
describe.each(sampleUnlessAll(Object.entries(works), 2))('%s', (what, prepare) => {
  beforeAll(async () => {
    ;({ shop, merchant, secco, billing_id } = await newPlace())
  })
  afterAll(async () => expect(await check()).toEqual([]))

  test.each([
    'before',
    'after',
  ] as const)('is atomic when a call to the table fails %s it took effect, and a repeat completes it', async when => {
    expect(await everyCall('table', when, prepare)).toBeGreaterThanOrEqual(2)
  })

  if (/paid externally|finishing|claimed/.test(what)) {
    test.each([
      'before',
      'after',
    ] as const)('is atomic when a call to the provider fails %s it took effect, and a repeat completes it', async when => {
      expect(await everyCall('provider', when, prepare)).toBeGreaterThanOrEqual(1)
    })
  }
})
