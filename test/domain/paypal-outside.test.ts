import { advanceOrder } from '../../shared/orders/advance.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { acceptPayment, cancelManually } from '../../shared/orders/checkout/review.ts'
import { countInReview, sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, updateItem } from '../../shared/platform/table/table.ts'
import { refusal } from '../support/harness.ts'
import { atPayPal, newPayPalCheckout, payPalOrder } from '../support/paypal-checkout.ts'
import { hookedTable } from '../support/table-hook.ts'

const { shop, check, finish, approved, orderOf, paymentOf, fault, heal, doubles } =
  await newPayPalCheckout('Kellerei Anderswo')

const table = hookedTable()

const sweep = () => sweepMerchant(shop.id, { hours: 0 })

afterAll(async () => {
  expect(await doubles()).toEqual([])
  expect(await check()).toEqual([])
})

describe('a payment that changes at PayPal', () => {
  test('pending, then declined: it was not paid, and cannot be any more', async () => {
    const { answer, request, id } = await approved('echeck')
    expect((await finish(request)).json.payment.status).toBe('pending')
    await atPayPal(id, { deed: 'fail' })
    expect(refusal(await finish(request))).toEqual([422, 'payment_declined'])
    expect(await orderOf(answer)).toMatchObject({ paid: false })
    expect(await sweep()).toMatchObject({ failures: [] })
    expect(await orderOf(answer)).toMatchObject({ status: 'cancelled', paid: false })
    expect(await payPalOrder(id)).toMatchObject({ secondCaptures: 0 })
  })

  test('captured and refunded there before finish: it is not paid', async () => {
    const { answer, request, id } = await approved()
    await fault({ kind: 'cut', when: 'after', order: id, verb: 'capture', times: 3 })
    expect(refusal(await finish(request))).toEqual([502, 'payment_provider_error'])
    await atPayPal(id, { deed: 'refund' })
    expect(refusal(await finish(request))).toEqual([422, 'payment_declined'])
    expect(await orderOf(answer)).toMatchObject({ status: 'new', paid: false })
    expect(await payPalOrder(id)).toMatchObject({ taken: 1, refundedCents: 2400, secondCaptures: 0 })
  })

  test('captured and partly refunded there before finish: it is paid, with the captured amount', async () => {
    const { request, id } = await approved()
    await fault({ kind: 'cut', when: 'after', order: id, verb: 'capture', times: 3 })
    expect(refusal(await finish(request))).toEqual([502, 'payment_provider_error'])
    await atPayPal(id, { deed: 'refund', amount: { currency_code: 'EUR', value: '4.00' } })
    expect((await finish(request)).json.data).toMatchObject({ status: 'need_package', paid: true })
    expect(await payPalOrder(id)).toMatchObject({ taken: 1, refundedCents: 400, secondCaptures: 0 })
  })

  test('reversed by the bank after the order was paid: it needs a human decision, and is not captured again', async () => {
    const { answer, request, id } = await approved()
    const { data, payment } = (await finish(request)).json
    await atPayPal(id, { deed: 'reverse' })
    expect(await reconcilePayment(shop.id, payment.uuid, { actor: 'webhook' })).toBe('review')
    expect(await paymentOf(answer)).toMatchObject({ status: 'refunded', refunded: 2400, returned: 'undecided' })
    await expect(advanceOrder(shop.id, data.id, 'ship', 'person')).rejects.toThrow(/paid: 24\.00 of 24\.00/)
    await cancelManually(shop.id, data.id, 'person')
    expect(await orderOf(answer)).toMatchObject({ status: 'cancelled', documents: { creditAdvices: [{}] } })
    const { calls } = await payPalOrder(id)
    expect(calls.filter(({ verb }) => verb === 'refund')).toEqual([])
  })

  test.each([
    ['forgotten', 'forget'],
    ['voided', 'void'],
  ] as const)('%s before the capture: declined, and cancelled by the sweep', async (_, deed) => {
    const { answer, request, id } = await approved()
    await atPayPal(id, { deed })
    expect(refusal(await finish(request))).toEqual([422, 'payment_declined'])
    await sweep()
    expect(await orderOf(answer)).toMatchObject({ status: 'cancelled', paid: false })
  })

  test('money of an order that is cancelled meanwhile is refunded, once, and checked until it is', async () => {
    const { answer, request, id } = await approved('echeck')
    await finish(request)
    await shop.call('orders/checkout/cancel', { uuid: answer.json.data.uuid })
    await atPayPal(id, { deed: 'settle' })
    await atPayPal(id, { deed: 'refunding', status: 'PENDING' })
    await sweep()
    expect((await paymentOf(answer))?.status).toBe('refund_pending')
    await sweep()
    await atPayPal(id, { deed: 'settleRefund', status: 'COMPLETED' })
    await sweep()
    expect((await paymentOf(answer))?.status).toBe('refunded')
    const { refunds, refundedCents } = await payPalOrder(id)
    expect([refunds.length, refundedCents]).toEqual([1, 2400])
  })

  test('a failed refund is requested again, with a new id', async () => {
    const { answer, request, id } = await approved('echeck')
    await finish(request)
    await shop.call('orders/checkout/cancel', { uuid: answer.json.data.uuid })
    await atPayPal(id, { deed: 'settle' })
    await atPayPal(id, { deed: 'refunding', status: 'FAILED' })
    await sweep()
    expect((await paymentOf(answer))?.status).toBe('refund_due')
    await atPayPal(id, { deed: 'refunding', status: 'COMPLETED' })
    await sweep()
    expect((await paymentOf(answer))?.status).toBe('refunded')
    expect(await payPalOrder(id)).toMatchObject({ refundedCents: 2400 })
  })

  test('of an account without credentials: a failure of the provider', async () => {
    const { answer, request } = await approved()
    const place = key('payment', { merchant: shop.id, uuid: answer.json.payment.uuid })
    const { account = null } = (await getItem(place)) ?? {}
    await updateItem(place, { set: { account: 'forgotten' } })
    expect(refusal(await finish(request))).toEqual([502, 'payment_provider_error'])
    await updateItem(place, { set: { account } })
    expect((await finish(request)).json.data).toMatchObject({ paid: true })
  })
})

describe('a payment whose order is credited', () => {
  const credit = (id: number, more: object = {}) => shop.call('orders/credit', { id, refund: 'provider', ...more })

  test('while it is checked: the refund of the credit is not counted as one by others as well', async () => {
    const { answer, request, id } = await approved()
    const { data, payment } = (await finish(request)).json
    let reads = 0
    table.hook = async (name, text) => {
      // Between the two reads of the check.
      if (name !== 'GetItemCommand' || !text.includes(payment.uuid) || ++reads < 2) return
      table.hook = undefined
      // The refund is made, but not recorded yet.
      await fault({ kind: 'cut', when: 'after', order: id, verb: 'refund', times: 3 })
      await credit(data.id, { positions: [{ id: data.positions[0].id, quantity: 1 }] })
    }
    expect(await reconcilePayment(shop.id, payment.uuid, { actor: 'webhook' })).toBe('left')
    expect((await payPalOrder(id)).refundedCents).toBe(1200)
    expect(await sweep()).toMatchObject({ failures: [] })
    const after = await paymentOf(answer)
    expect(after).toMatchObject({ status: 'refunded_in_part', refunded: 1200, refunds: [{ state: 'refunded' }] })
    expect(after?.returned).toBeUndefined()
  })

  test('as a whole without a refund: what others refund afterwards needs no decision once the rest was accepted', async () => {
    const { answer, request, id } = await approved()
    const { data, payment } = (await finish(request)).json
    await credit(data.id, { refund: 'none' })
    await acceptPayment(shop.id, data.id, 'person')
    const part = { currency_code: 'EUR', value: '20.00' }
    const inReview = await countInReview(shop.id)
    const check = () => reconcilePayment(shop.id, payment.uuid, { actor: 'webhook' })
    await atPayPal(id, { deed: 'refund', amount: part })
    expect(await check()).toBe('paid')
    await atPayPal(id, { deed: 'refund' })
    expect(await check()).toBe('refunded')
    expect(await paymentOf(answer)).toMatchObject({ status: 'refunded', refunded: 2400, returned: 'decided' })
    expect(await countInReview(shop.id)).toBe(inReview)
  })

  test('by hand after others refunded some of it: no more goes back than there is left', async () => {
    const { answer, request, id } = await approved()
    const { data, payment } = (await finish(request)).json
    await atPayPal(id, { deed: 'refund', amount: { currency_code: 'EUR', value: '20.00' } })
    expect(await reconcilePayment(shop.id, payment.uuid, { actor: 'webhook' })).toBe('review')
    const { json } = await credit(data.id, { refund: 'by_hand' })
    expect(json.refund).toEqual({ uuid: payment.uuid, amount: '-4.00', state: 'by_hand' })
    expect(await paymentOf(answer)).toMatchObject({ returned: 'decided', refunds: [{ amount: 400 }] })
  })

  test('days after its provider failed: the refund is requested again as long as any other', async () => {
    const { answer, request, id } = await approved()
    const { data, payment } = (await finish(request)).json
    const place = key('payment', { merchant: shop.id, uuid: payment.uuid })
    await updateItem(place, { set: { failing_since: Date.now() - 4 * 86_400_000 } })
    await fault({ kind: 'down', order: id })
    expect((await credit(data.id)).json.refund.state).toBe('refund_due')
    await heal()
    expect(await sweep()).toMatchObject({ failures: [] })
    expect(await paymentOf(answer)).toMatchObject({ status: 'refunded', refunded: 2400 })
  })
})
