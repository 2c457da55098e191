import * as jobs from '../../shared/contract/jobs.ts'
import { visitMerchants } from '../../shared/merchants/directory.ts'
import { advanceOrder } from '../../shared/orders/advance.ts'
import { cancelOrder } from '../../shared/orders/checkout/cancel.ts'
import { finishOrder } from '../../shared/orders/checkout/finish.ts'
import { countInReview, duePayments, sweep, sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { loadOrder } from '../../shared/orders/store.ts'
import type { Provider } from '../../shared/payments/provider.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import type { SandboxPaymentItem } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import { newPayer } from '../support/payer.ts'
import { readShown } from '../support/payment-fixtures.ts'
import { missingRights } from '../support/used-rights.ts'

const { shop, approved, place } = await newPayer('Kellerei Kasse')
const merchant = shop.id

const provider = await providerOf({ id: merchant })
const real: Provider = { ...provider }
const now = Date.now

/** The calls of the provider, in order. */
const asked: string[] = []

beforeEach(() => {
  asked.length = 0
  for (const verb of ['inspect', 'capture', 'refund'] as const) {
    Object.assign(provider, {
      [verb]: (...values: never[]) => {
        asked.push(verb)
        return (real[verb] as (...values: never[]) => unknown)(...values)
      },
    })
  }
})
afterEach(() => {
  Date.now = now
  Object.assign(provider, real)
})

const stored = (uuid: string) => readShown(merchant, uuid)
const atProvider = (id: string | null, set: Partial<SandboxPaymentItem>) =>
  updateItem(key('sandboxPayment', { id: id ?? '' }), { set })
const laterBy = (milliseconds: number) => {
  Date.now = () => now() + milliseconds
}

test('a finish whose answer was lost is looked up, not captured again', async () => {
  const { payment, finish } = await approved('lost')
  await expect(finish()).rejects.toMatchObject({ word: 'payment_provider_timeout' })
  asked.length = 0
  expect(await finish()).toMatchObject({ data: { status: 'need_package', paid: true } })
  expect(asked).toEqual(['inspect'])
  expect((await findSandboxPayment(payment.external_id ?? ''))?.captures).toBe(1)
})

test('a finish that died is resumed by another finish a minute later, and not before', async () => {
  const { payment, finish } = await approved()
  const died = new Promise<void>(begun => {
    provider.inspect = () => {
      begun()
      return new Promise(() => {})
    }
  })
  finish().catch(() => {})
  await died
  Object.assign(provider, real)
  const { lease = 0 } = (await stored(payment.uuid)) as { lease?: number }
  expect(lease - now()).toBeGreaterThan(50_000)
  expect(lease - now()).toBeLessThanOrEqual(60_000)
  laterBy(61_000)
  expect(await finish()).toMatchObject({ data: { paid: true }, payment: { status: 'captured' } })
})

describe('a payment whose amount differs from the order’s', () => {
  const wrong = {
    'another amount': { amount: 2399 },
    'another currency': { currency: 'USD' as 'EUR' },
    'the custom id of another payment': { payment: 'another' },
  }
  test.each(Object.entries(wrong))('%s: is not captured', async (_, set) => {
    const { data, payment, finish } = await approved()
    await atProvider(payment.external_id, set)
    await expect(finish()).rejects.toMatchObject({ word: 'amount_mismatch' })
    expect(asked).not.toContain('capture')
    expect((await loadOrder(merchant, data.id)).order.header).toMatchObject({ status: 'new', paid: false })
  })
})

test('money that arrives for a cancelled order is marked, and refunded by the next sweep', async () => {
  const { data, payment, finish } = await approved()
  provider.capture = async (id, requestId) => {
    const view = await real.capture(id, requestId)
    // The order is cancelled as by another hand, whose claim on the payment was lost.
    const { order, version } = await loadOrder(merchant, data.id)
    const doc = JSON.stringify({ ...order, header: { ...order.header, status: 'cancelled' } })
    await updateItem(key('order', { merchant, id: data.id }), { set: { doc, version: version + 1 } })
    return view
  }
  await expect(finish()).rejects.toMatchObject({ word: 'order_cancelled' })
  expect(await stored(payment.uuid)).toMatchObject({ status: 'refund_due' })
  expect(await sweep({ hours: 0 })).toMatchObject({ refunded: 1 })
  expect(await stored(payment.uuid)).toMatchObject({ status: 'refunded' })
  expect((await findSandboxPayment(payment.external_id ?? ''))?.refunded).toBe(2400)
})

test('a sweep reconciles the payments of all merchants', async () => {
  const other = await newPayer('Kellerei Nachbar')
  const orders = [await place(), await other.place()]
  const merchants = [merchant, other.shop.id]
  await sweep({ hours: 0 })
  const statuses = orders.map(async ({ data }, n) => {
    const { order } = await loadOrder(merchants[n] ?? merchant, data.id)
    return order.header.status
  })
  expect(await Promise.all(statuses)).toEqual(['cancelled', 'cancelled'])
  expect(await other.check()).toEqual([])
})

test('a sweep needs only the permissions that its job declares', async () => {
  await place()
  const search = () => visitMerchants(one => Promise.all([duePayments(one), countInReview(one)]))
  expect(await missingRights(jobs.sweep.permissions, search)).toEqual([])
  const work = () => sweepMerchant(merchant, { hours: 0 })
  expect(await missingRights(jobs.sweepMerchant.permissions, work)).toEqual([])
})

describe('the merchant’s steps', () => {
  const header = async (id: number) => (await loadOrder(merchant, id)).order.header

  test('shipped, closed and paid afterwards are stored, with the money under the documents', async () => {
    const { data } = await place({ payment_type: 'invoice' })
    await advanceOrder(merchant, data.id, 'ship', 'tool')
    expect(await header(data.id)).toMatchObject({ status: 'in_delivery', paid: false })
    await advanceOrder(merchant, data.id, 'close', 'tool')
    expect(await header(data.id)).toMatchObject({ status: 'closed', paid: false })
    const shown = await advanceOrder(merchant, data.id, 'money_received', 'tool')
    const { order } = await loadOrder(merchant, data.id)
    expect(order).toEqual(shown)
    expect(order.header).toMatchObject({ status: 'closed', paid: true })
    expect(order.documents.payments).toMatchObject([
      { payment_type: 'invoice', amount: '24.00', currency: 'EUR', external_id: null, payer_id: null },
    ])
    expect(order.history.map(({ event, actor }) => `${event} ${actor}`)).toEqual([
      'add test',
      'ship tool',
      'close tool',
      'money_received tool',
    ])
  })

  test('change nothing if repeated', async () => {
    const { data } = await place({ payment_type: 'invoice' })
    await advanceOrder(merchant, data.id, 'ship', 'tool')
    const { version } = await loadOrder(merchant, data.id)
    await advanceOrder(merchant, data.id, 'ship', 'tool')
    expect((await loadOrder(merchant, data.id)).version).toBe(version)
  })

  test('return the reason if impossible', async () => {
    const { data } = await place({ payment_type: 'invoice' })
    await expect(advanceOrder(merchant, data.id, 'close', 'tool')).rejects.toThrow(
      `order ${data.id} is due for packing and shipping: it cannot be closed now`,
    )
    await advanceOrder(merchant, data.id, 'money_received', 'tool')
    // It is paid once only.
    const again = await advanceOrder(merchant, data.id, 'money_received', 'tool')
    expect(again.documents.payments).toHaveLength(1)
    await expect(advanceOrder(merchant, 4711, 'ship', 'tool')).rejects.toMatchObject({ word: 'order_not_found' })
  })
})

test('a paid order is not cancelled, and all records are consistent', async () => {
  const { data, finish } = await approved()
  await finish()
  await expect(cancelOrder(merchant, { uuid: data.uuid }, 'test')).rejects.toMatchObject({ word: 'order_paid' })
  await expect(
    finishOrder(
      merchant,
      { payment_type: 'paypal', payment_id: 'none', order_id: data.uuid, external_id: 'x', payer_id: 'x' } as never,
      'test',
    ),
  ).rejects.toMatchObject({ word: 'order_paid' })
})
