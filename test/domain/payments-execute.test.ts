import { sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { newCheckout, visit } from '../support/checkout.ts'
import { type Answer, type Json, refusal } from '../support/harness.ts'
import { approve, atPayPal, newPayPalCheckout, payPalOrder } from '../support/paypal-checkout.ts'

const { shop, add, check } = await newCheckout('Kellerei Rückkehr')
const execute = (uuid: unknown, at = shop): Promise<Answer> => at.call('payments/execute', { uuid, filter: [] })
const orderOf = async ({ json }: Answer): Promise<Json> =>
  (await shop.call('orders/get', { id: json.data.id })).json.data

afterAll(async () => expect(await check()).toEqual([]))

test('an approved payment is captured, by its uuid or by the id of its provider, and a repeat returns the same', async () => {
  for (const name of ['uuid', 'external_id'] as const) {
    const answer = await add()
    await visit(answer.json.targetUrl)
    const done = await execute(answer.json.payment[name])
    expect(done.status).toBe(200)
    expect(done.json.data).toMatchObject({ uuid: answer.json.payment.uuid, status: 'payed', amount: '24.00' })
    expect(done.json.order).toMatchObject({ uuid: answer.json.data.uuid, status: 'need_package', paid: true })
    expect(Object.keys(done.json.order)).toEqual(expect.arrayContaining(['billing', 'delivery', 'client', 'positions']))
    expect(done.json.order).toEqual(await orderOf(answer))
    for (const again of [answer.json.payment.uuid, answer.json.payment.external_id])
      expect((await execute(again)).text).toBe(done.text)
    expect(await findSandboxPayment(answer.json.payment.external_id)).toMatchObject({ captures: 1 })
  }
})

test('64 concurrent requests capture once, and all succeed', async () => {
  const answer = await add()
  await visit(answer.json.targetUrl)
  const all = await Promise.all(Array.from({ length: 64 }, () => execute(answer.json.payment.uuid)))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
  expect(all.filter(({ json }) => json.data.status === 'payed').length).toBeGreaterThan(0)
  expect((await execute(answer.json.payment.uuid)).json.data.status).toBe('payed')
  expect(await findSandboxPayment(answer.json.payment.external_id)).toMatchObject({ captures: 1 })
})

test('after a lost answer of the provider the page shows pending; the sweep completes the capture', async () => {
  const answer = await add()
  await visit(answer.json.targetUrl, 'approve', 'lost')
  const { status, json } = await execute(answer.json.payment.external_id)
  expect([status, json.data.status, json.order.status]).toEqual([200, 'pending', 'need_payment'])
  expect(await sweepMerchant(shop.id, { hours: 0 })).toMatchObject({ paid: 1, failures: [] })
  expect((await execute(answer.json.payment.uuid)).json).toMatchObject({
    data: { status: 'payed' },
    order: { status: 'need_package', paid: true },
  })
})

test('a payment of another merchant is not found, and neither is a missing one', async () => {
  const other = await newCheckout('Kellerei Nebenan')
  const answer = await other.add()
  for (const name of [answer.json.payment.uuid, answer.json.payment.external_id, 'SBX0', answer.json.data.uuid])
    expect(refusal(await execute(name))).toEqual([404, 'payment_not_found'])
})

describe('at PayPal', () => {
  test('every outcome is 200 or a refusal for the buyer, and the order has the right status', async () => {
    const paypal = await newPayPalCheckout('Kellerei Überall')
    const at = paypal.shop
    const approved = async () => {
      const answer = await paypal.add()
      await approve(answer.json.targetUrl)
      return answer
    }
    const down = await approved()
    await paypal.fault({ kind: 'down' })
    const asked = await execute(down.json.payment.external_id, at)
    expect([asked.status, asked.json.data.status, asked.json.order.status]).toEqual([200, 'pending', 'need_payment'])
    await paypal.heal()
    expect((await execute(down.json.payment.external_id, at)).json.data.status).toBe('payed')

    const check = await paypal.add()
    await approve(check.json.targetUrl, { funding: 'echeck' })
    const pending = await execute(check.json.payment.uuid, at)
    expect([pending.json.data.status, pending.json.order.status]).toEqual(['pending', 'need_payment'])
    await atPayPal(check.json.payment.external_id, { deed: 'settle' })
    expect((await execute(check.json.payment.uuid, at)).json.data.status).toBe('payed')

    const refunded = await approved()
    expect((await execute(refunded.json.payment.uuid, at)).json.data.status).toBe('payed')
    await atPayPal(refunded.json.payment.external_id, { deed: 'refund' })
    expect((await execute(refunded.json.payment.uuid, at)).json.data.status).toBe('payed')
    expect((await payPalOrder(refunded.json.payment.external_id)).captures).toHaveLength(1)
    expect(await paypal.doubles()).toEqual([])
  })
})
