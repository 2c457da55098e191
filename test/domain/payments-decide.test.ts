import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import { finishing, newCheckout, visit } from '../support/checkout.ts'
import { type Answer, type Json, refusal } from '../support/harness.ts'
import { atPayPal, newPayPalCheckout, payPalOrder } from '../support/paypal-checkout.ts'
import { crowd } from '../support/sampling.ts'
import { hookedTable } from '../support/table-hook.ts'

const { shop, add, check } = await newCheckout('Kellerei Entscheid')
const table = hookedTable()
const decide = (uuid: string, decision: string, more: object = {}, at = shop): Promise<Answer> =>
  at.call('payments/decide', { uuid, decision, ...more })
const open = async (at = shop): Promise<Json[]> => (await at.call('payments/getOpen', { pageSize: 100 })).json.data
const orderOf = async (order_uuid: string, at = shop): Promise<Json> =>
  (await at.call('orders/get', { uuid: order_uuid })).json.data

/** A paid order; answers its payment as the merchant sees it after some change there. */
const paid = async (change: 'none' | 'returned' = 'none') => {
  const answer = await add()
  const { uuid, external_id } = answer.json.payment
  await shop.call('orders/checkout/finish', finishing(answer, await visit(answer.json.targetUrl)))
  if (change === 'returned') {
    const { captureId } = (await findSandboxPayment(external_id)) ?? {}
    const { sandbox } = await import('../../shared/payments/sandbox/sandbox.ts')
    await sandbox().refund(captureId ?? '', 1000, 'outside', uuid, 'EUR')
    expect(await reconcilePayment(shop.id, uuid, { actor: 'webhook' })).toBe('review')
  }
  return { uuid, external_id, order: answer.json.data.uuid as string }
}

afterAll(async () => expect(await check()).toEqual([]))

describe('payments/getOpen', () => {
  test('lists payments in review before those that the service settles by itself, and no settled payments', async () => {
    const waiting = (await add()).json.payment
    const settled = await paid()
    const inReview = await paid('returned')
    const all = await open()
    const at = (uuid: string) => all.findIndex(one => one.uuid === uuid)
    expect(at(settled.uuid)).toBe(-1)
    expect(at(inReview.uuid)).toBeLessThan(at(waiting.uuid))
    expect(all[at(inReview.uuid)]).toMatchObject({
      ...{ order_uuid: inReview.order, provider: 'sandbox', external_id: inReview.external_id },
      ...{ amount: '24.00', status: 'refunded_in_part', refunded: '10.00', review: 1 },
    })
    expect(all[at(waiting.uuid)]).toMatchObject({ status: 'open', refunded: '0.00', taken: null, review: 0 })
    const first = (await shop.call('payments/getOpen', { pageSize: 1 })).json
    expect([first.data.length, first.totalCount, first.data[0].review]).toEqual([1, all.length, 1])
  })

  test('lists no payment of another merchant', async () => {
    const other = await newCheckout('Kellerei Unbeteiligt')
    expect(await open(other.shop)).toEqual([])
    const { uuid } = await paid('returned')
    expect(refusal(await decide(uuid, 'accept', {}, other.shop))).toEqual([404, 'payment_not_found'])
  })
})

describe('payments/decide', () => {
  test('accepts that money went back: the order stays, and a repeat changes nothing', async () => {
    const { uuid, order } = await paid('returned')
    const answer = await decide(uuid, 'accept')
    expect(answer.json.data).toMatchObject({ uuid, status: 'refunded_in_part', refunded: '10.00', review: 0 })
    const after = await orderOf(order)
    expect(after).toMatchObject({ status: 'need_package', paid: true })
    expect((await decide(uuid, 'accept')).text).toBe(answer.text)
    expect(await orderOf(order)).toEqual(after)
  })

  test('refunds the rest at the provider and cancels the order, once by many concurrent requests', async () => {
    const { uuid, order, external_id } = await paid('returned')
    const answers = await Promise.all(Array.from({ length: crowd }, () => decide(uuid, 'refund')))
    for (const one of answers) if (one.status !== 200) expect([409, 503]).toContain(one.status)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect((await decide(uuid, 'refund')).json.data).toMatchObject({ status: 'refunded', refunded: '24.00' })
    expect(await orderOf(order)).toMatchObject({ status: 'cancelled', documents: { creditAdvices: [{}] } })
    expect((await findSandboxPayment(external_id))?.refunded).toBe(2400)
  })

  test('records money that the merchant gave back by hand', async () => {
    const { uuid, external_id } = await paid()
    expect((await decide(uuid, 'refund', { by_hand: 1 })).json.data).toMatchObject({
      status: 'refunded',
      refunded: '24.00',
    })
    expect((await findSandboxPayment(external_id))?.refunded).toBe(0)
    expect(refusal(await decide(uuid, 'accept'))).toEqual([409, 'not_in_this_status'])
  })

  test('has nothing to decide about a payment that waits for its payer', async () => {
    const { uuid } = (await add()).json.payment
    expect(refusal(await decide(uuid, 'accept'))).toEqual([409, 'not_in_this_status'])
    expect(refusal(await decide(uuid, 'refund'))).toEqual([409, 'not_in_this_status'])
    expect(await open()).toContainEqual(expect.objectContaining({ uuid, status: 'open' }))
  })

  test('refunds no order that is shipped', async () => {
    const { uuid, order, external_id } = await paid()
    await shop.call('orders/advance', { uuid: order, event: 'ship' })
    expect(refusal(await decide(uuid, 'refund'))).toEqual([409, 'order_not_cancellable'])
    expect((await findSandboxPayment(external_id))?.refunded).toBe(0)
  })

  test('is made although the provider cannot be reached; the next check continues the refund', async () => {
    const paypal = await newPayPalCheckout('Kellerei Funkstille')
    const { answer, request } = await paypal.approved()
    await paypal.finish(request)
    await paypal.fault({ kind: 'down' })
    const { uuid } = answer.json.payment
    expect(refusal(await decide(uuid, 'refund', {}, paypal.shop))).toEqual([502, 'payment_provider_error'])
    // Money that is due at the provider is not given back by hand as well.
    expect(refusal(await decide(uuid, 'refund', { by_hand: 1 }, paypal.shop))).toEqual([409, 'not_in_this_status'])
    await paypal.heal()
    await reconcilePayment(paypal.shop.id, uuid, { actor: 'sweep' })
    expect((await decide(uuid, 'refund', {}, paypal.shop)).json.data).toMatchObject({ status: 'refunded' })
    expect(await paypal.check()).toEqual([])
  })

  /** A paid order of which PayPal refused to refund one bottle. */
  const refused = async (name: string) => {
    const paypal = await newPayPalCheckout(name)
    const { answer, request, id } = await paypal.approved()
    const { data } = (await paypal.finish(request)).json
    const { uuid } = answer.json.payment
    await atPayPal(id, { deed: 'refunding', status: 'FAILED' })
    const positions = [{ id: data.positions[0].id, quantity: 1 }]
    await paypal.shop.call('orders/credit', { id: data.id, positions, refund: 'provider' })
    for (let n = 0; n < 2; n++) await reconcilePayment(paypal.shop.id, uuid, { actor: 'sweep' })
    expect((await paypal.paymentOf(answer))?.refunds).toMatchObject([{ state: 'review' }])
    return { paypal, id, uuid, order: data.uuid as string }
  }

  test.each([
    ['again while it is on its way', 1],
    ['16 times at once', 16],
  ])('requests a refused refund of one bottle again, and of no more: %s', async (how, times) => {
    const { paypal, id, uuid, order } = await refused(`Kellerei Bruch ${how}`)
    await atPayPal(id, { deed: 'refunding', status: 'PENDING' })
    const again = () => decide(uuid, 'refund', {}, paypal.shop)
    await Promise.all(Array.from({ length: times }, again))
    expect((await again()).json.data).toMatchObject({ status: 'refund_pending', review: 0 })
    expect(await orderOf(order, paypal.shop)).toMatchObject({
      ...{ status: 'need_package', paid: true, credited: 'part', documents: { creditAdvices: [{}] } },
    })
    const { refunds } = await payPalOrder(id)
    expect(refunds.map(({ status }) => status)).toEqual(['FAILED', 'FAILED', 'FAILED', 'PENDING'])
    expect(await paypal.check()).toEqual([])
  })

  test('records in the history that a refused refund was given back by hand, once', async () => {
    const { paypal, uuid, order } = await refused('Kellerei Handgeld')
    await Promise.all(Array.from({ length: 8 }, () => decide(uuid, 'refund', { by_hand: 1 }, paypal.shop)))
    expect(refusal(await decide(uuid, 'refund', { by_hand: 1 }, paypal.shop))).toEqual([409, 'not_in_this_status'])
    expect((await open(paypal.shop)).map(one => one.uuid)).not.toContain(uuid)
    const { data } = (await paypal.shop.call('orders/history', { uuid: order })).json
    const back = data.filter(({ event }: Json) => event === 'refunded')
    expect(back).toMatchObject([{ actor: 'test', payment: { uuid, amount: '-12.00', state: 'by_hand' } }])
    expect(await paypal.check()).toEqual([])
  })

  test('cannot accept a payment for a cancelled order', async () => {
    const other = await newCheckout('Kellerei Storno')
    const answer = await other.add()
    const { uuid } = answer.json.payment
    await other.shop.call('orders/checkout/cancel', { uuid: answer.json.data.uuid })
    // The sandbox captures no other amount than the order's.
    const set = { status: 'review', taken: { amount: 2399, currency: 'EUR' } } as const
    await updateItem(key('payment', { merchant: other.shop.id, uuid }), { set })
    expect(refusal(await decide(uuid, 'accept', {}, other.shop))).toEqual([409, 'not_in_this_status'])
    // A decision that another change of the payment overtakes is refused.
    table.hook = async name => {
      if (name !== 'UpdateItemCommand') return
      table.hook = undefined
      await updateItem(key('payment', { merchant: other.shop.id, uuid }), { set: { version: 99 } })
    }
    expect(refusal(await decide(uuid, 'refund', { by_hand: 1 }, other.shop))).toEqual([409, 'not_in_this_status'])
    expect((await decide(uuid, 'refund', { by_hand: 1 }, other.shop)).json.data).toMatchObject({
      ...{ status: 'refunded', refunded: '23.99', taken: { amount: '23.99', currency: 'EUR' } },
    })
  })
})
