import { createHash, randomUUID } from 'node:crypto'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { acceptPayment, refundPayment, unsettledPayments } from '../../shared/orders/checkout/review.ts'
import { sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import { taskKey } from '../../shared/payments/record.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { timestamp } from '../../shared/values/time.ts'
import { eventually } from '../support/eventually.ts'
import type { Answer } from '../support/harness.ts'
import { approve, atPayPal, newPayPalCheckout, payPalOrder } from '../support/paypal-checkout.ts'

const { shop, check, finish, add, approved, orderOf, paymentOf, fault, heal, doubles } =
  await newPayPalCheckout('Kellerei Verweigert')
const merchant = shop.id

/** Lets a payment be so many hours old, and its next look be due. */
const age = ({ json }: Answer, hours: number, set: Partial<PaymentItem> = {}) =>
  updateItem(key('payment', { merchant, uuid: json.payment.uuid }), {
    set: { crstamp: timestamp(Date.now() - hours * 3_600_000), ...set },
    index: taskKey('look', Date.now() - 1000),
  })

/** What is stored of a payment whose provider has not served it for so many hours. */
const failing = (hours: number) => ({ failing_since: Date.now() - hours * 3_600_000 })

const statusOf = async (answer: Answer) => [(await orderOf(answer)).status, (await paymentOf(answer))?.status]

const isWatched = async ({ json }: Answer) =>
  (await unsettledPayments(merchant)).waiting.some(({ uuid }) => uuid === json.payment.uuid)

afterEach(async () => {
  await heal()
  expect(await doubles()).toEqual([])
  expect(await check()).toEqual([])
})

test('an order whose money the provider refuses to take, by whatever word, ends when it waited long enough', async () => {
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

describe('an account of which there are no credentials any more', () => {
  test('keeps no order waiting that nobody paid', async () => {
    const answer = await add()
    await approve(answer.json.targetUrl)
    await age(answer, 25, { account: 'gone' })
    expect(await sweepMerchant(merchant)).toMatchObject({ cancelled: 1, failures: [] })
    expect(await statusOf(answer)).toEqual(['cancelled', 'cancelled'])
  })

  test.each(['capturing', 'pending'] as const)('shows what is %s there to a person, who ends it', async status => {
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

test('money of an old order that was being taken while it was cancelled goes back without anybody’s doing', async () => {
  const { answer, request, id } = await approved()
  await age(answer, 30)
  await fault({ kind: 'slow', when: 'before', milliseconds: 13_000, verb: 'capture', times: 1 })
  expect((await finish(request)).status).toBe(504)
  expect((await shop.call('orders/checkout/cancel', { order_id: answer.json.data.uuid })).status).toBe(200)
  expect((await payPalOrder(id)).taken).toBe(0)
  expect(await isWatched(answer)).toBe(true)
  await eventually(async () => (await payPalOrder(id)).taken > 0)
  expect(await reconcilePayment(merchant, request.payment_id, { actor: 'sweep' })).toBe('refunded')
  expect(await payPalOrder(id)).toMatchObject({ taken: 1, takenCents: 2400, refundedCents: 2400 })
})

test('money that was seen once is given back, though the provider fails then and the watch is over', async () => {
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

test('an order whose payment could not be opened is nobody’s answer, also not where an equal request meets it', async () => {
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

describe('a provider that does not serve a payment for days', () => {
  const down = () => fault({ kind: 'down' })

  test.each([
    ['open', 'cancelled'],
    ['pending', 'review'],
    ['capturing', 'review'],
  ] as const)('leaves an order whose payment is %s not for ever: %s', async (status, ends) => {
    const { answer, request } = await approved(status === 'pending' ? 'echeck' : 'balance')
    if (status === 'capturing') await fault({ kind: 'cut', when: 'before', verb: 'capture' })
    if (status !== 'open') await finish(request)
    await down()
    await age(answer, 100)
    expect((await sweepMerchant(merchant)).failures).toHaveLength(1)
    const stored = await paymentOf(answer)
    expect(stored).toMatchObject({ status, failing_since: expect.any(Number) })
    await age(answer, 100, failing(71))
    expect((await sweepMerchant(merchant)).failures).toHaveLength(1)
    await age(answer, 100, failing(73))
    expect(await sweepMerchant(merchant)).toMatchObject({ [ends]: 1, failures: [] })
    if (ends === 'review') {
      expect(await paymentOf(answer)).toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
      await heal()
      await refundPayment(merchant, answer.json.data.id, 'operator', 'by hand')
    }
  })

  test('counts only while it fails', async () => {
    const { answer, request } = await approved('echeck')
    await finish(request)
    await age(answer, 100, failing(73))
    expect(await sweepMerchant(merchant)).toMatchObject({ left: 1, failures: [] })
    expect(await paymentOf(answer)).toMatchObject({ status: 'pending', failing_since: null })
    await down()
    await age(answer, 100)
    expect((await sweepMerchant(merchant)).failures).toHaveLength(1)
    expect((await paymentOf(answer))?.status).toBe('pending')
  })

  test('does not end the watch over a cancelled order, unless it fails for three days', async () => {
    const { answer } = await approved()
    await shop.call('orders/checkout/cancel', { order_id: answer.json.data.uuid })
    await down()
    await age(answer, 30)
    await sweepMerchant(merchant)
    expect(await isWatched(answer)).toBe(true)
    await age(answer, 30, failing(73))
    await sweepMerchant(merchant)
    expect(await isWatched(answer)).toBe(false)
  })
})

test('a refund that is refused is asked for under a new request id, and wants a person after three days', async () => {
  const { answer, request, id } = await approved()
  await finish(request)
  // Money that arrives for a cancelled order.
  const { uuid } = answer.json.payment
  await updateItem(key('payment', { merchant, uuid }), { set: { status: 'refund_due' } })
  await fault({ kind: 'issue', issue: 'PAYEE_FUNDING_SOURCE_GONE', verb: 'refund' })
  for (const hours of [1, 2]) {
    await age(answer, 100, failing(hours))
    expect((await sweepMerchant(merchant)).failures).toHaveLength(1)
  }
  const refunds = (await payPalOrder(id)).calls.filter(({ verb }) => verb === 'refund')
  expect(new Set(refunds.map(({ requestId }) => requestId)).size).toBe(2)
  await age(answer, 100, failing(73))
  expect(await sweepMerchant(merchant)).toMatchObject({ review: 1, failures: [] })
  expect(await paymentOf(answer)).toMatchObject({ status: 'review', reason: 'REFUND_REFUSED' })
  await heal()
  await updateItem(key('payment', { merchant, uuid }), { set: { status: 'captured' }, index: null })
})

test('money that was asked for without an answer has not vanished when the provider forgets the order', async () => {
  const { answer, request, id } = await approved()
  await fault({ kind: 'cut', when: 'before', verb: 'capture' })
  expect((await finish(request)).status).toBe(502)
  await heal()
  await atPayPal(id, { deed: 'forget' })
  await age(answer, 2, { lease: 0 })
  expect(await sweepMerchant(merchant)).toMatchObject({ review: 1, failures: [] })
  expect(await paymentOf(answer)).toMatchObject({ status: 'review', reason: 'UNKNOWN_TO_PROVIDER' })
  await refundPayment(merchant, answer.json.data.id, 'operator', 'by hand')
})

describe('a person who decides', () => {
  const inReview = async (funding: 'balance' | 'echeck') => {
    const answer = await add()
    await approve(answer.json.targetUrl, { funding, takes: { currency_code: 'EUR', value: '23.00' } })
    await age(answer, 2)
    expect(await sweepMerchant(merchant)).toMatchObject({ review: 1 })
    return answer
  }

  test('cannot accept what is still on its way, but give it back', async () => {
    const answer = await inReview('echeck')
    await expect(acceptPayment(merchant, answer.json.data.id, 'operator')).rejects.toThrow('is still on its way')
    await refundPayment(merchant, answer.json.data.id, 'operator')
    await atPayPal(answer.json.payment.external_id, { deed: 'settle' })
    await age(answer, 2)
    expect(await sweepMerchant(merchant)).toMatchObject({ refunded: 1, failures: [] })
    expect(await statusOf(answer)).toEqual(['cancelled', 'refunded'])
  })

  test('is told when somebody else decided at the same moment', async () => {
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
