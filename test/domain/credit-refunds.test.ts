import { advanceOrder } from '../../shared/orders/advance.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { acceptPayment, refundPayment } from '../../shared/orders/checkout/review.ts'
import { countInReview, sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { StepRefused } from '../../shared/orders/step-refused.ts'
import { unsettledPayments } from '../../shared/payments/open.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { finishing } from '../support/checkout.ts'
import type { Answer, Json } from '../support/harness.ts'
import { approve, atPayPal, externalIdOf, newPayPalCheckout, payPalOrder } from '../support/paypal-checkout.ts'

// Credits whose money goes back at PayPal: each order is two bottles for 24.00.

const { shop, add, check, finish, approved, paymentOf, fault, heal, doubles } =
  await newPayPalCheckout('Kellerei Rückgabe')

afterEach(async () => {
  await heal()
  expect(await check()).toEqual([])
})
afterAll(async () => expect(await doubles()).toEqual([]))

const paid = async () => {
  const { answer, request, id } = await approved()
  const { data, payment } = (await finish(request)).json
  expect([data.paid, payment.status]).toEqual([true, 'captured'])
  return { answer, id, order: data as Json, uuid: payment.uuid as string }
}
type Paid = Awaited<ReturnType<typeof paid>>

const credit = (order: Json, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  shop.call('orders/credit', { id: order.id, refund: 'provider', ...more }, { headers })
const bottle = (order: Json, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  credit(order, { positions: [{ id: order.positions[0].id, quantity: 1 }], ...more }, headers)
const decide = ({ uuid }: Paid, more: object): Promise<Answer> => shop.call('payments/decide', { uuid, ...more })
const read = async ({ id }: Json): Promise<Json> => (await shop.call('orders/get', { id })).json.data
const sweep = () => sweepMerchant(shop.id, { hours: 0 })
const webhook = ({ uuid }: Paid) => reconcilePayment(shop.id, uuid, { actor: 'webhook' })
const euros = (value: string) => ({ currency_code: 'EUR', value })
const booked = async ({ id }: Paid) => {
  const { refunds, refundedCents } = await payPalOrder(id)
  return [refunds.length, refundedCents]
}

test('a credited bottle is refunded at PayPal once, and the order stays paid and is shipped', async () => {
  const one = await paid()
  const headers = { 'idempotency-key': 'a bottle' }
  const { status, json } = await bottle(one.order, {}, headers)
  expect([status, json.refund]).toEqual([200, { uuid: one.uuid, amount: '-12.00', state: 'refunded' }])
  expect(json.data).toMatchObject({ status: 'need_package', paid: true, credited: 'part' })
  expect((await bottle(one.order, {}, headers)).json).toMatchObject({ credit: json.credit, refund: json.refund })
  // PayPal reports its own refund, and the sweep runs.
  expect([await webhook(one), await webhook(one)]).toEqual(['paid', 'paid'])
  await sweep()
  expect(await booked(one)).toEqual([1, 1200])
  const payment = await paymentOf(one.answer)
  expect(payment).toMatchObject({ status: 'refunded_in_part', refunded: 1200, refunds: [{ state: 'refunded' }] })
  expect(payment?.returned).toBeUndefined()
  expect((await advanceOrder(shop.id, one.order.id, 'ship', 'person')).header.status).toBe('in_delivery')
  const { data } = (await shop.call('orders/history', { id: one.order.id })).json
  expect(data.slice(2, 4)).toMatchObject([
    { event: 'credit', payment: { uuid: one.uuid, amount: '-12.00', state: 'refund_due' } },
    { event: 'refunded', payment: { uuid: one.uuid, amount: '-12.00', state: 'refunded' } },
  ])
})

test('the credits of all bottles give back what was paid; the last credit cancels the order', async () => {
  const one = await paid()
  await bottle(one.order)
  const { json } = await bottle(one.order)
  expect(json).toMatchObject({
    data: { status: 'cancelled', paid: false, credited: 'whole' },
    refund: { state: 'refunded' },
  })
  expect(await booked(one)).toEqual([2, 2400])
  expect(await paymentOf(one.answer)).toMatchObject({ status: 'refunded', refunded: 2400 })
})

describe('an answer of PayPal that is lost after the refund', () => {
  test('leaves the refund due; the sweep finds that it was made, and makes it no second time', async () => {
    const one = await paid()
    await fault({ kind: 'cut', when: 'after', order: one.id, verb: 'refund', times: 3 })
    const { status, json } = await bottle(one.order)
    expect([status, json.refund.state, await booked(one)]).toEqual([200, 'refund_due', [1, 1200]])
    await sweep()
    expect(await booked(one)).toEqual([1, 1200])
    expect(await paymentOf(one.answer)).toMatchObject({ status: 'refunded_in_part', refunded: 1200 })
  })

  test('is no refund by others for PayPal’s event that reports it', async () => {
    const one = await paid()
    await fault({ kind: 'cut', when: 'after', order: one.id, verb: 'refund', times: 3 })
    await bottle(one.order)
    const results = await Promise.all(Array.from({ length: 6 }, () => webhook(one)))
    expect(results.filter(result => result !== 'paid')).toEqual([])
    expect(await booked(one)).toEqual([1, 1200])
    expect((await paymentOf(one.answer))?.returned).toBeUndefined()
  })
})

test('a refund that PayPal does not accept at the moment is made by the sweep', async () => {
  const one = await paid()
  await fault({ kind: 'down', order: one.id })
  expect((await bottle(one.order)).json).toMatchObject({ data: { credited: 'part' }, refund: { state: 'refund_due' } })
  expect(await booked(one)).toEqual([0, 0])
  await heal()
  await sweep()
  expect(await booked(one)).toEqual([1, 1200])
  expect(await unsettledPayments(shop.id)).toEqual({ waiting: [], review: [] })
})

test('a pending refund is followed until it is made, or requested again when it fails', async () => {
  const one = await paid()
  await atPayPal(one.id, { deed: 'refunding', status: 'PENDING' })
  expect((await bottle(one.order)).json.refund.state).toBe('refund_pending')
  await sweep()
  expect((await paymentOf(one.answer))?.refunds).toMatchObject([{ state: 'pending' }])
  await atPayPal(one.id, { deed: 'settleRefund', status: 'FAILED' })
  await sweep()
  await sweep()
  await atPayPal(one.id, { deed: 'settleRefund', status: 'COMPLETED' })
  await sweep()
  expect((await payPalOrder(one.id)).refunds.map(({ status }) => status)).toEqual(['FAILED', 'COMPLETED'])
  expect(await paymentOf(one.answer)).toMatchObject({ refunded: 1200, refunds: [{ state: 'refunded', failed: 1 }] })
})

describe('a refund that fails three times', () => {
  const refused = async (): Promise<Paid> => {
    const one = await paid()
    await atPayPal(one.id, { deed: 'refunding', status: 'FAILED' })
    expect((await bottle(one.order)).json.refund.state).toBe('refund_due')
    await sweep()
    expect(await sweep()).toMatchObject({ review: 1, failures: [] })
    expect(await paymentOf(one.answer)).toMatchObject({ refunded: 0, refunds: [{ state: 'review', failed: 3 }] })
    expect((await read(one.order)).documents.creditAdvices).toHaveLength(1)
    expect([await countInReview(shop.id), (await payPalOrder(one.id)).refunds.length]).toEqual([1, 3])
    return one
  }

  test('needs a decision: it is requested again', async () => {
    const one = await refused()
    await expect(acceptPayment(shop.id, one.order.id, 'person')).rejects.toThrow(StepRefused)
    await atPayPal(one.id, { deed: 'refunding', status: 'COMPLETED' })
    expect(await refundPayment(shop.id, one.order.id, 'person')).toBe('paid')
    expect(await paymentOf(one.answer)).toMatchObject({ status: 'refunded_in_part', refunded: 1200 })
    expect([await countInReview(shop.id), (await booked(one))[1]]).toEqual([0, 1200])
    expect(await read(one.order)).toMatchObject({ status: 'need_package', paid: true })
  })

  test('needs a decision: the merchant gives it back by hand', async () => {
    const one = await refused()
    expect(await refundPayment(shop.id, one.order.id, 'person', 'by hand')).toBe('paid')
    expect(await paymentOf(one.answer)).toMatchObject({ refunded: 1200, refunds: [{ state: 'by_hand' }] })
    expect([await countInReview(shop.id), (await booked(one))[1]]).toEqual([0, 0])
  })
})

test('a refund that PayPal does not answer for three days goes to review, and is repeated under its id', async () => {
  const one = await paid()
  await fault({ kind: 'cut', when: 'after', order: one.id, verb: 'refund' })
  await bottle(one.order)
  const place = key('payment', { merchant: shop.id, uuid: one.uuid })
  await updateItem(place, { set: { failing_since: Date.now() - 4 * 86_400_000 } })
  expect(await sweep()).toMatchObject({ review: 1, failures: [] })
  expect(await paymentOf(one.answer)).toMatchObject({ refunds: [{ state: 'review', failed: 0 }] })
  await heal()
  await refundPayment(shop.id, one.order.id, 'person')
  expect(await booked(one)).toEqual([1, 1200])
  expect(await paymentOf(one.answer)).toMatchObject({ refunded: 1200, refunds: [{ state: 'refunded' }] })
})

describe('money that others refunded', () => {
  test('before the credit has to be decided about first, although nobody had noticed it', async () => {
    const one = await paid()
    await atPayPal(one.id, { deed: 'refund', amount: euros('20.00') })
    const { status, json } = await credit(one.order)
    expect([status, json.error]).toEqual([409, 'payment_refunded'])
    expect(await booked(one)).toEqual([1, 2000])
    await decide(one, { decision: 'accept' })
    const after = await credit(one.order)
    expect(after.json).toMatchObject({ data: { status: 'cancelled' }, refund: { amount: '-4.00', state: 'refunded' } })
    expect(await booked(one)).toEqual([2, 2400])
    expect(await paymentOf(one.answer)).toMatchObject({ status: 'refunded', refunded: 2400, returned: 'decided' })
  })

  test('after a credit needs a decision, as before', async () => {
    const one = await paid()
    await bottle(one.order)
    await atPayPal(one.id, { deed: 'refund', amount: euros('5.00') })
    expect(await webhook(one)).toBe('review')
    expect(await paymentOf(one.answer)).toMatchObject({ refunded: 1700, returned: 'undecided' })
    expect((await bottle(one.order)).json.error).toBe('payment_refunded')
    await decide(one, { decision: 'accept' })
    expect((await bottle(one.order)).json).toMatchObject({ data: { status: 'cancelled' }, refund: { amount: '-7.00' } })
    expect(await booked(one)).toEqual([3, 2400])
  })

  test('while a refund of this service is not recorded is distinguished from it', async () => {
    const one = await paid()
    await fault({ kind: 'cut', when: 'after', order: one.id, verb: 'refund', times: 3 })
    await bottle(one.order)
    await atPayPal(one.id, { deed: 'refund', amount: euros('5.00') })
    expect(await webhook(one)).toBe('review')
    expect(await paymentOf(one.answer)).toMatchObject({ refunded: 1700, returned: 'undecided' })
    expect(await booked(one)).toEqual([2, 1700])
  })

  test('all of it, leaves nothing to give back', async () => {
    const one = await paid()
    await atPayPal(one.id, { deed: 'reverse' })
    await decide(one, { decision: 'refund' })
    expect((await shop.call('orders/get', { id: one.order.id })).json.data.status).toBe('cancelled')
    expect(await paymentOf(one.answer)).toMatchObject({ status: 'refunded', refunded: 2400, returned: 'decided' })
  })
})

describe('an order that was paid with another amount, which the merchant accepted,', () => {
  const accepted = async (takes: ReturnType<typeof euros>): Promise<Paid> => {
    const answer = await add()
    const request = finishing(answer, await approve(answer.json.targetUrl, { takes }))
    expect((await finish(request)).json.error).toBe('amount_mismatch')
    await acceptPayment(shop.id, answer.json.data.id, 'person')
    return { answer, id: externalIdOf(answer), order: answer.json.data, uuid: answer.json.payment.uuid }
  }

  test('gives all of it back with a credit of the whole', async () => {
    const one = await accepted(euros('25.00'))
    expect((await credit(one.order)).json).toMatchObject({ credit: { gross: '24.00' }, refund: { amount: '-25.00' } })
    expect(await booked(one)).toEqual([1, 2500])
  })

  test('in another currency, is credited in parts without a refund at the provider', async () => {
    const one = await accepted({ currency_code: 'USD', value: '24.00' })
    const { status, json } = await bottle(one.order)
    expect([status, json.error]).toEqual([422, 'refund_not_possible'])
    expect((await credit(one.order)).json.refund).toMatchObject({ amount: '-24.00', state: 'refunded' })
    expect((await payPalOrder(one.id)).refunds[0]?.amount).toEqual({ currency_code: 'USD', value: '24.00' })
  })
})

describe('a credit whose money does not go back at PayPal', () => {
  test('by hand counts as given back, so that the rest is refunded only', async () => {
    const one = await paid()
    const { json } = await bottle(one.order, { refund: 'by_hand' })
    expect(json.refund).toEqual({ uuid: one.uuid, amount: '-12.00', state: 'by_hand' })
    expect((await credit(one.order)).json.refund).toMatchObject({ amount: '-12.00', state: 'refunded' })
    expect(await booked(one)).toEqual([1, 1200])
    expect(await paymentOf(one.answer)).toMatchObject({ status: 'refunded', refunded: 2400 })
  })

  test('by hand is counted besides what others refunded: no more goes back than was paid', async () => {
    const one = await paid()
    await atPayPal(one.id, { deed: 'refund', amount: euros('10.00') })
    expect(await webhook(one)).toBe('review')
    expect((await bottle(one.order, { refund: 'by_hand' })).json.refund).toMatchObject({ amount: '-12.00' })
    await decide(one, { decision: 'accept' })
    expect((await bottle(one.order)).json.refund).toMatchObject({ amount: '-2.00', state: 'refunded' })
    expect(await booked(one)).toEqual([2, 1200])
    expect(await paymentOf(one.answer)).toMatchObject({ status: 'refunded', refunded: 2400 })
  })

  test('without a refund leaves the money where it is', async () => {
    const one = await paid()
    expect((await credit(one.order, { refund: 'none' })).json).toMatchObject({
      data: { status: 'cancelled' },
      refund: null,
    })
    expect(await booked(one)).toEqual([0, 0])
    expect(await paymentOf(one.answer)).toMatchObject({ status: 'captured', refunded: 0, left: 'undecided' })
    expect((await finish((await approved()).request)).status).toBe(200)
  })
})

test('dry_run of a refund asks nobody and changes nothing', async () => {
  const one = await paid()
  const { calls } = await payPalOrder(one.id)
  const { json } = await bottle(one.order, { dry_run: 1 })
  expect(json.refund).toEqual({ uuid: one.uuid, amount: '-12.00', state: 'refund_due' })
  expect((await payPalOrder(one.id)).calls).toEqual(calls)
  expect((await paymentOf(one.answer))?.refunds).toBeUndefined()
})

test('a payment of the former form is read once: its first write stores the present form', async () => {
  const one = await paid()
  const place = key('payment', { merchant: shop.id, uuid: one.uuid })
  const { refunds: _, requests, reported, returned, undecided, ...kept } = (await getItem(place)) as PaymentItem
  await putItem(place, { ...kept, refunded: 0, refund_id: null, failed_refunds: 0 } as never)
  await bottle(one.order)
  await bottle(one.order)
  expect(await booked(one)).toEqual([2, 2400])
  expect(await webhook(one)).toBe('refunded')
  expect(await paymentOf(one.answer)).toMatchObject({ status: 'refunded', refunded: 2400 })
})
