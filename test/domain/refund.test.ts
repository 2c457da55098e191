import { refundUnusedPayment } from '../../shared/orders/checkout/refund.ts'
import { bareView } from '../../shared/payments/provider.ts'
import { ProviderRefusal, providerFailure } from '../../shared/payments/provider-failure.ts'
import { requestIdOf } from '../../shared/payments/record.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayments, scriptedProvider, viewOf } from '../support/payment-fixtures.ts'

// Money that an order did not take, given back: what is asked of the provider, and what stands in the table then.

const noon = Date.UTC(2026, 4, 1, 12)
useFakeClock(noon)
const { merchant, put, stored } = newPayments()
const { asked, answers } = await scriptedProvider()

const day = 86_400_000
const captureId = 'CAP'
const back = { state: 'refunded', refundId: 'BACK' } as const
const taken = { amount: 2399, currency: 'EUR' }

/** What the provider was asked for, but for how the payment stands. */
const requests = () => asked.filter(text => !text.startsWith('inspect '))

const payingBack = async (set: Partial<PaymentItem>) => {
  const payment = await put(set)
  return { payment, outcome: await refundUnusedPayment(merchant, payment), after: await stored(payment.uuid) }
}

test('a payment that was never opened has nothing to be given back', async () => {
  answers({})
  const { payment, outcome, after } = await payingBack({ status: 'cancelled', external_id: null })
  expect([outcome, after]).toEqual(['left', payment])
})

describe('what was taken is given back', () => {
  test.each<[string, Partial<PaymentItem>, number | null, number]>([
    ['as the provider says', { taken: { amount: 2398, currency: 'EUR' } }, 2399, 2399],
    ['as the provider said before', { taken }, null, 2399],
    ['as the provider says only now', { taken: null }, 2399, 2399],
    ['in the currency in which it was taken', { taken: { amount: 2399, currency: 'USD' } }, null, 2399],
    ['as the order cost, when the provider does not say', { taken: null }, null, 2400],
  ])('%s', async (_, set, amount, least) => {
    answers({ inspect: viewOf('captured', { captureId, amount }), refund: () => back })
    const { payment, outcome, after } = await payingBack({ status: 'refund_due', ...set })
    const currency = set.taken?.currency ?? 'EUR'
    expect(requests()).toEqual([`refund CAP ${least} ${requestIdOf(payment.uuid, 'back')} ${payment.uuid} ${currency}`])
    expect(outcome).toBe('refunded')
    expect(after).toMatchObject({ status: 'refunded', refund_id: 'BACK', capture_id: captureId, refunded: least })
  })

  test('but for what was given back already', async () => {
    answers({ inspect: viewOf('captured', { captureId, amount: 2399, refunded: 1000 }), refund: () => back })
    const { after } = await payingBack({ status: 'refund_due', failed_refunds: 2 })
    expect(requests()).toEqual([expect.stringMatching(/^refund CAP 1399 .*-b2 /)])
    expect(after).toMatchObject({ status: 'refunded', refunded: 2399 })
  })

  test('anew, whatever became of a refund before', async () => {
    answers({ inspect: viewOf('captured', { captureId }), refund: () => back })
    const { outcome } = await payingBack({ status: 'refund_due', refund_id: 'FORMER' })
    expect([outcome, requests().length]).toEqual(['refunded', 1])
  })
})

describe('money that came back by itself is noted', () => {
  test.each<[string, number | null, number | null, number]>([
    ['as much as the provider says was given back', 2397, 2398, 2397],
    ['as much as was taken', null, 2398, 2398],
    ['as much as the order cost, when the provider does not say', null, null, 2400],
  ])('%s', async (_, refunded, amount, least) => {
    answers({ inspect: viewOf('refunded', { captureId, refunded, amount }) })
    const { outcome, after } = await payingBack({ status: 'refund_due' })
    expect([outcome, requests()]).toEqual(['refunded', []])
    expect(after).toMatchObject({ status: 'refunded', capture_id: captureId, refunded: least })
  })
})

describe('a refund that was on its way', () => {
  test.each<[string, Partial<PaymentItem>, number]>([
    ['all that was taken', { taken }, 2399],
    ['all that the order cost, when nobody knows what was taken', { taken: null }, 2400],
  ])('is done: %s', async (_, set, refunded) => {
    answers({ inspectRefund: () => back })
    const { outcome, after } = await payingBack({ status: 'refund_pending', refund_id: 'BACK', ...set })
    expect([outcome, asked]).toEqual(['refunded', ['inspectRefund BACK']])
    expect(after).toMatchObject({ status: 'refunded', refunded })
  })

  test('still is', async () => {
    answers({ inspectRefund: () => ({ state: 'pending', refundId: 'BACK' }) })
    const { outcome, after } = await payingBack({ status: 'refund_pending', refund_id: 'BACK' })
    expect([outcome, after.status]).toEqual(['left', 'refund_pending'])
  })

  test('and has no id is looked for at the payment', async () => {
    answers({ inspect: viewOf('refunded', { captureId, refunded: 2400 }) })
    const { outcome } = await payingBack({ status: 'refund_pending', refund_id: null })
    expect(outcome).toBe('refunded')
  })
})

describe('while the provider gives no answer to a refund', () => {
  const failure = () => Promise.reject(providerFailure('down'))

  test('what was to be given back stands as it was', async () => {
    answers({ inspect: viewOf('captured', { captureId }), refund: failure })
    const payment = await put({ status: 'refund_due' })
    await expect(refundUnusedPayment(merchant, payment)).rejects.toMatchObject({ word: 'payment_provider_error' })
    expect(await stored(payment.uuid)).toEqual(payment)
  })

  test('money that was not known of is not lost sight of', async () => {
    answers({ inspect: viewOf('captured', { captureId, amount: 2399 }), refund: failure })
    const payment = await put({ status: 'cancelled' })
    await expect(refundUnusedPayment(merchant, payment)).rejects.toMatchObject({ word: 'payment_provider_error' })
    expect(await stored(payment.uuid)).toMatchObject({ status: 'refund_due', capture_id: captureId, taken })
  })
})

describe('a provider that fails', () => {
  const failing = async (set: Partial<PaymentItem>, error: Error) => {
    answers({ inspect: () => Promise.reject(error) })
    const payment = await put(set)
    const outcome = await refundUnusedPayment(merchant, payment).catch(thrown => thrown)
    return { payment, outcome, after: await stored(payment.uuid) }
  }
  const forDays = { failing_since: noon - 3 * day }

  test.each(['refund_due', 'refund_pending'] as const)('for three days leaves money, %s, to a person', async status => {
    const { outcome, after } = await failing({ status, ...forDays }, new ProviderRefusal('NO'))
    expect([outcome, after.status, after.reason]).toEqual(['review', 'review', 'REFUND_REFUSED'])
  })

  test.each<[string, Partial<PaymentItem>]>([
    ['not for that long', { status: 'refund_due', failing_since: noon - 3 * day + 1 }],
    ['for the first time', { status: 'refund_due' }],
    ['for three days, while no money is known of', { status: 'cancelled', ...forDays }],
  ])('%s is asked again', async (_, set) => {
    const error = new ProviderRefusal('NO')
    const { payment, outcome, after } = await failing(set, error)
    expect([outcome, after]).toEqual([error, payment])
  })

  test('by a fault of ours is nobody’s decision', async () => {
    const fault = new TypeError('unforeseen')
    const { payment, outcome, after } = await failing({ status: 'refund_due', ...forDays }, fault)
    expect([outcome, after]).toEqual([fault, payment])
  })
})

test('of money that was to come and did not, the next look tells', async () => {
  answers({ inspect: () => bareView('missing') })
  const { outcome, after } = await payingBack({ status: 'refund_due' })
  expect([outcome, after.status]).toEqual(['left', 'cancelled'])
})
