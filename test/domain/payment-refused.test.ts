import { createHash, randomUUID } from 'node:crypto'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { acceptPayment, refundPayment } from '../../shared/orders/checkout/review.ts'
import { sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { unsettledPayments } from '../../shared/payments/open.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import { taskKey } from '../../shared/payments/record.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { timestamp } from '../../shared/values/time.ts'
import { eventually } from '../support/eventually.ts'
import type { Answer } from '../support/harness.ts'
import { approve, newPayPalCheckout, payPalOrder } from '../support/paypal-checkout.ts'

const { shop, check, finish, add, approved, orderOf, paymentOf, fault, heal, doubles } =
  await newPayPalCheckout('Kellerei Verweigert')
const merchant = shop.id

/** Lets a payment be so many hours old, and its next look be due. */
const age = ({ json }: Answer, hours: number, set: Partial<PaymentItem> = {}) =>
  updateItem(key('payment', { merchant, uuid: json.payment.uuid }), {
    set: { crstamp: timestamp(Date.now() - hours * 3_600_000), ...set },
    index: taskKey('due', Date.now() - 1000),
  })

/** The fields of a payment whose provider has failed for so many hours. */
const failing = (hours: number) => ({ failing_since: Date.now() - hours * 3_600_000 })

const statusOf = async (answer: Answer) => [(await orderOf(answer)).status, (await paymentOf(answer))?.status]

const isWatched = async ({ json }: Answer) =>
  (await unsettledPayments(merchant)).waiting.some(({ uuid }) => uuid === json.payment.uuid)

afterEach(async () => {
  await heal()
  expect(await doubles()).toEqual([])
  expect(await check()).toEqual([])
})

test('an order whose capture the provider refuses, with any word, ends when its time is over', async () => {
  const { answer, request, id } = await approved({ issue: 'PAYEE_ACCOUNT_NOT_SUPPORTED' })
  expect((await finish(request)).status).toBe(502)
  await age(answer, 23)
  expect((await sweepMerchant(merchant)).failures).toHaveLength(1)
  expect(await statusOf(answer)).toEqual(['new', 'open'])
  await age(answer, 25)
  expect(await sweepMerchant(merchant)).toMatchObject({ cancelled: 1, failures: [] })
  expect(await statusOf(answer)).toEqual(['cancelled', 'cancelled'])
  expect((await payPalOrder(id)).taken).toBe(0)
})

describe('an account whose credentials are deleted', () => {
  test('delays no order that is unpaid', async () => {
    const answer = await add()
    await approve(answer.json.targetUrl)
    await age(answer, 25, { account: 'gone' })
    expect(await sweepMerchant(merchant)).toMatchObject({ cancelled: 1, failures: [] })
    expect(await statusOf(answer)).toEqual(['cancelled', 'cancelled'])
  })

  test.each([
    'capturing',
    'pending',
  ] as const)('leaves a payment that is %s there to an operator, who ends it', async status => {
    const { answer, request } = await approved(status === 'pending' ? 'echeck' : 'balance')
    if (status === 'capturing') await fault({ kind: 'cut', when: 'after', verb: 'capture' })
    await finish(request)
    await heal()
    await age(answer, 100, { account: 'gone' })
    expect((await sweepMerchant(merchant)).failures).toHaveLength(1)
    expect((await paymentOf(answer))?.status).toBe(status)
    await age(answer, 100, failing(73))
    expect(await sweepMerchant(merchant)).toMatchObject({ review: 1, failures: [] })
    expect(await paymentOf(answer)).toMatchObject({ status: 'review', reason: 'UNKNOWN_ACCOUNT' })
    expect(await refundPayment(merchant, answer.json.data.id, 'operator', 'by hand')).toBe('refunded')
    expect(await statusOf(answer)).toEqual(['cancelled', 'refunded'])
  })
})

test('money of an old order that was captured during its cancellation is refunded automatically', async () => {
  const { answer, request, id } = await approved()
  await age(answer, 30)
  await fault({ kind: 'slow', when: 'before', milliseconds: 20_000, verb: 'capture', times: 1 })
  expect((await finish(request)).status).toBe(504)
  expect((await shop.call('orders/checkout/cancel', { order_id: answer.json.data.uuid })).status).toBe(200)
  expect((await payPalOrder(id)).taken).toBe(0)
  expect(await isWatched(answer)).toBe(true)
  await eventually(async () => (await payPalOrder(id)).taken > 0)
  expect(await reconcilePayment(merchant, request.payment_id, { actor: 'sweep' })).toBe('refunded')
  expect(await payPalOrder(id)).toMatchObject({ taken: 1, takenCents: 2400, refundedCents: 2400 })
})

test('money that was seen once is refunded, though the provider fails then and the watch is over', async () => {
  const { answer, request, id } = await approved()
  await shop.call('orders/checkout/cancel', { order_id: answer.json.data.uuid })
  const provider = await providerOf({ id: merchant, payment_provider: 'paypal' })
  await provider.capture(request.external_id, 'elsewhere')
  await fault({ kind: 'down', verb: 'refund' })
  await age(answer, 30)
  expect((await sweepMerchant(merchant)).failures).toHaveLength(1)
  await heal()
  expect(await isWatched(answer)).toBe(true)
  expect(await reconcilePayment(merchant, request.payment_id, { actor: 'sweep' })).toBe('refunded')
  expect(await payPalOrder(id)).toMatchObject({ taken: 1, refundedCents: 2400 })
})

test('an order whose payment could not be opened is returned to no request, also not to an equal one', async () => {
  const idempotencyKey = randomUUID()
  const place = key('idempotency', { merchant, key: createHash('sha256').update(idempotencyKey).digest('hex') })
  const send = () => add({}, { 'idempotency-key': idempotencyKey })
  await fault({ kind: 'throttle', retryAfter: '1', verb: 'create' })
  const failing = send()
  const used = await eventually(() => getItem(place), Boolean, 20)
  expect((await failing).status).toBe(502)
  await heal()
  if (!used) throw new Error('the key was never used')
  // As a request finds it that read the key a moment before.
  await putItem(place, used)
  const met = await send()
  expect([met.status, met.json.error]).toEqual([502, 'payment_provider_error'])
  await deleteItem(place)
  expect((await send()).json).toMatchObject({ data: { status: 'new' }, payment: { status: 'open' } })
})

describe('an operator who decides', () => {
  const inReview = async (funding: 'balance' | 'echeck') => {
    const answer = await add()
    await approve(answer.json.targetUrl, { funding, takes: { currency_code: 'EUR', value: '23.00' } })
    await age(answer, 2)
    expect(await sweepMerchant(merchant)).toMatchObject({ review: 1 })
    return answer
  }

  test('gets an error if another operator decided concurrently', async () => {
    const answer = await inReview('balance')
    const { id } = answer.json.data
    const both = await Promise.allSettled([
      acceptPayment(merchant, id, 'one'),
      acceptPayment(merchant, id, 'two'),
      refundPayment(merchant, id, 'three'),
    ])
    const failed = both.flatMap(one => (one.status === 'rejected' ? [(one.reason as Error).message] : []))
    expect(failed).toHaveLength(2)
    for (const message of failed) expect(message).toMatch(/^nobody has to decide about order \d+|paid/)
  })
})
