import { paypal } from '../../shared/payments/paypal/paypal.ts'
import type { Deed } from '../support/paypal/control.ts'
import type { Fault } from '../support/paypal/faults.ts'
import { startPayPalTwin } from '../support/paypal/server.ts'
import { wordOf } from '../support/paypal-harness.ts'

// The test asserts the fields of a body.
// biome-ignore lint/suspicious/noExplicitAny: answers are walked freely in assertions
type Json = any

const twin = await startPayPalTwin()
afterAll(() => twin.close())

const limits = { call: 400, verb: 1500, pause: 600 }
const providerOf = (clientId = 'mine') => paypal({ clientId, clientSecret: 'secret', baseUrl: twin.url }, limits)
const provider = providerOf()

const control = async (method: string, path: string, body?: Deed | Fault): Promise<Json> => {
  const response = await fetch(`${twin.url}/control/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  return response.json()
}

let orders = 0

/** An order at PayPal, with its operations. */
const opened = async (amount = 2519) => {
  const n = ++orders
  const payment = `0193d2a4-7c1e-7b55-9d3a-${String(n).padStart(12, '0')}`
  const request = {
    payment,
    order: { uuid: `order ${n}`, number: String(n) },
    merchantName: `Weingut ${n}`,
    amount,
    currency: 'EUR' as const,
    returnUrl: 'https://shop.example/done?cart=7',
    cancelUrl: 'https://shop.example/cancelled',
    requestId: `open ${n}`,
  }
  const { externalId: id } = await provider.open(request)
  return {
    id,
    request,
    does: (deed: Deed) => control('POST', `orders/${id}`, deed),
    fault: (fault: Fault) => control('POST', 'faults', { order: id, ...fault }),
    take: (requestId = `take ${n}`) => provider.capture(id, requestId),
    look: () => provider.inspect(id),
    account: () => control('GET', `orders/${id}`),
  }
}

const approved = async (amount?: number) => {
  const order = await opened(amount)
  await order.does({ deed: 'approve' })
  return order
}

describe('PayPal’s test double', () => {
  test('captures an approved order once, and returns the payer', async () => {
    const { id, request, does, take, look, account } = await opened()
    expect(await look()).toMatchObject({ state: 'open', amount: 2519, customId: request.payment, payerId: null })
    expect(await take('too early')).toMatchObject({ state: 'open' })
    const { location } = await does({ deed: 'approve', payer: 'PAYER7' })
    expect(location).toBe(`https://shop.example/done?cart=7&token=${id}&PayerID=PAYER7`)
    expect(await look()).toMatchObject({ state: 'approved', payerId: 'PAYER7' })
    expect(await take()).toMatchObject({ state: 'captured', amount: 2519, refunded: 0, payerId: 'PAYER7' })
    expect(await account()).toMatchObject({ taken: 1, takenCents: 2519, refundedCents: 0, secondCaptures: 0 })
  })

  test('answers a repeated id with the first result, even a refusal, and a new id by capturing', async () => {
    const { id, request, does, take, account } = await opened()
    await does({ deed: 'approve', funding: { issue: 'INSTRUMENT_DECLINED' } })
    const declined = { state: 'declined', reason: 'INSTRUMENT_DECLINED', captureId: null }
    expect(await take('first')).toMatchObject(declined)
    await does({ deed: 'approve' })
    expect(await take('first')).toMatchObject(declined)
    expect(await take('second')).toMatchObject({ state: 'captured' })
    expect(await take('second')).toMatchObject({ state: 'captured' })
    expect(await take('third')).toMatchObject({ state: 'captured' })
    const { taken, secondCaptures, calls } = await account()
    expect([taken, secondCaptures]).toEqual([1, 1])
    const captures = calls.filter(({ verb }: { verb: string }) => verb === 'capture')
    expect(captures.map(({ status, repeated }: { status: number; repeated: boolean }) => [status, repeated])).toEqual([
      [422, false],
      [422, true],
      [201, false],
      [200, true],
      [422, false],
    ])
    expect((await provider.open(request)).externalId).toBe(id)
    expect(await wordOf(provider.open({ ...request, amount: 1 }))).toBe('payment_provider_error')
  })

  test('that forgot its ids still captures an order once, but refunds twice', async () => {
    const { take, account } = await approved()
    const { captureId } = await take()
    const back = () => provider.refund(captureId ?? '', 1000, 'back', 'p', 'EUR')
    const first = await back()
    expect(await back()).toEqual(first)
    await control('DELETE', 'request-ids')
    expect(await take()).toMatchObject({ state: 'captured' })
    expect(await back()).not.toEqual(first)
    expect(await account()).toMatchObject({ taken: 1, refundedCents: 2000 })
  })

  test('that is careless captures for every new id, and counts that', async () => {
    const { request, does, take, account } = await approved()
    await does({ deed: 'careless' })
    await take('first')
    expect(await take('second')).toMatchObject({ amount: 5038 })
    expect(await account()).toMatchObject({ taken: 2, secondCaptures: 1 })
    expect(await control('GET', `doubles?brand=${encodeURIComponent(request.merchantName)}`)).toMatchObject([
      { payment: request.payment, reference: request.order.uuid, taken: 2 },
    ])
  })

  test('knows the orders of an account, and forgets expired orders', async () => {
    const { id, does, look, take } = await approved()
    expect(await providerOf('other').inspect(id)).toMatchObject({ state: 'missing' })
    await does({ deed: 'forget' })
    expect(await look()).toMatchObject({ state: 'missing' })
    expect(await take()).toMatchObject({ state: 'missing' })
    const voided = await approved()
    await voided.does({ deed: 'void' })
    expect(await voided.look()).toMatchObject({ state: 'cancelled' })
    expect(await voided.take()).toMatchObject({ state: 'cancelled', reason: 'ORDER_VOIDED' })
  })

  test('completes or fails pending captures', async () => {
    const [good, bad] = [await opened(), await opened()]
    for (const { does, take } of [good, bad]) {
      await does({ deed: 'approve', funding: 'echeck' })
      expect(await take()).toMatchObject({ state: 'pending', reason: 'ECHECK', amount: 2519 })
    }
    await good.does({ deed: 'settle' })
    await bad.does({ deed: 'fail' })
    expect(await good.look()).toMatchObject({ state: 'captured', reason: null })
    expect(await bad.look()).toMatchObject({ state: 'declined', reason: 'ECHECK' })
    // As documented, the id brings the first result.
    expect(await good.take()).toMatchObject({ state: 'pending' })
    expect(await bad.take('anew')).toMatchObject({ state: 'declined' })
  })

  test('refunds in parts, at most the captured amount, immediately or later', async () => {
    const { does, take, look } = await approved()
    const { captureId } = await take()
    const back = (amount: number, id: string) => wordOf(provider.refund(captureId ?? '', amount, id, 'p', 'EUR'))
    await does({ deed: 'refund', amount: { currency_code: 'EUR', value: '10.00' } })
    expect(await look()).toMatchObject({ state: 'captured', refunded: 1000 })
    expect(await back(1520, 'too much')).toBe('payment_provider_error')
    await does({ deed: 'refunding', status: 'PENDING' })
    const pending = (await back(1519, 'rest')) as { state: string; refundId: string }
    expect(pending).toMatchObject({ state: 'pending' })
    expect(await provider.inspectRefund(pending.refundId)).toEqual(pending)
    expect(await look()).toMatchObject({ state: 'captured', refunded: 1000 })
    await does({ deed: 'settleRefund', status: 'COMPLETED' })
    expect(await provider.inspectRefund(pending.refundId)).toMatchObject({ state: 'refunded' })
    expect(await look()).toMatchObject({ state: 'refunded', refunded: 2519 })
    expect(await back(1, 'more')).toEqual({ state: 'refunded', refundId: null })
  })

  test('reverses a capture for a bank; it is not refunded again', async () => {
    const { does, take, look } = await approved()
    const { captureId } = await take()
    await does({ deed: 'reverse' })
    expect(await look()).toMatchObject({ state: 'refunded', refunded: 2519, reason: 'CHARGEBACK' })
    expect(await provider.refund(captureId ?? '', 2519, 'back after all', 'p', 'EUR')).toEqual({
      state: 'failed',
      refundId: null,
    })
  })

  test('executes one of two concurrent captures with different ids', async () => {
    const order = await approved()
    await order.fault({ kind: 'slow', when: 'before', milliseconds: 50, verb: 'capture' })
    const views = await Promise.all([order.take('one'), order.take('two')])
    expect(views).toMatchObject([{ state: 'captured' }, { state: 'captured' }])
    expect(await order.account()).toMatchObject({ taken: 1, secondCaptures: 1 })
  })
})
