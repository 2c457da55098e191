import { requestRefunds } from '../../shared/orders/checkout/refund.ts'
import { requestIdOf } from '../../shared/payments/provider.ts'
import type { FormerPayment } from '../../shared/payments/record.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayments, scriptedProvider, shownPayment, viewOf } from '../support/payment-fixtures.ts'

// Refunds of money that an order did not take: the requests to the provider, and the stored payment.

const noon = Date.UTC(2026, 4, 1, 12)
useFakeClock(noon)
const { merchant, put, stored } = newPayments()
const { asked, answers } = await scriptedProvider()

const captureId = 'CAP'
const back = { state: 'refunded', refundId: 'BACK' } as const
const taken = { amount: 2399, currency: 'EUR' }

/** The requests to the provider, without inspections. */
const requests = () => asked.filter(text => !text.startsWith('inspect '))

const payingBack = async (set: Partial<FormerPayment>) => {
  const payment = await put(set)
  return { payment, outcome: await requestRefunds(merchant, payment, 'test'), after: await stored(payment.uuid) }
}

test('a payment that was never opened has nothing to refund', async () => {
  answers({})
  const { payment, outcome, after } = await payingBack({ status: 'cancelled', external_id: null })
  expect([outcome, after]).toEqual(['left', shownPayment(payment)])
})

describe('a refund of captured money', () => {
  test.each<[string, Partial<FormerPayment>, number | null, number]>([
    ['as the provider says', { taken: { amount: 2398, currency: 'EUR' } }, 2399, 2399],
    ['as the provider said before', { taken }, null, 2399],
    ['as the provider says only now', { taken: null }, 2399, 2399],
    ['in the currency in which it was taken', { taken: { amount: 2399, currency: 'USD' } }, null, 2399],
    ['as the order cost, when the provider does not say', { taken: null }, null, 2400],
  ])('%s', async (_, set, amount, least) => {
    answers({ inspect: viewOf('captured', { captureId, amount }), refund: () => back })
    const { payment, outcome, after } = await payingBack({ status: 'refund_due', ...set })
    const currency = set.taken?.currency ?? 'EUR'
    expect(requests()).toEqual([
      `refund CAP ${least} ${payment.refunds[0]?.amount === least ? requestIdOf(payment.uuid, 'back') : requestIdOf(payment.uuid, 'back', 1)} ${payment.uuid} ${currency}`,
    ])
    expect(outcome).toBe('over')
    expect(after).toMatchObject({ status: 'refunded', refund_id: 'BACK', capture_id: captureId, refunded: least })
  })

  test('is a new refund, even if there was one before', async () => {
    answers({ inspect: viewOf('captured', { captureId }), refund: () => back })
    const { outcome } = await payingBack({ status: 'refund_due', refund_id: 'FORMER' })
    expect([outcome, requests().length]).toEqual(['over', 1])
  })
})

describe('a refund by the provider is recorded', () => {
  test.each<[string, number | null, number | null, number]>([
    ['as much as the provider says was given back', 2397, 2398, 2397],
    ['as much as was taken', null, 2398, 2398],
    ['as much as the order cost, when the provider does not say', null, null, 2400],
  ])('%s', async (_, refunded, amount, least) => {
    answers({ inspect: viewOf('refunded', { captureId, refunded, amount }) })
    const { outcome, after } = await payingBack({ status: 'refund_due' })
    expect([outcome, requests()]).toEqual(['over', []])
    expect(after).toMatchObject({ status: 'refunded', capture_id: captureId, refunded: least })
  })
})

describe('a refund that was pending', () => {
  test.each<[string, Partial<FormerPayment>, number]>([
    ['all that was taken', { taken }, 2399],
    ['all that the order cost, when nobody knows what was taken', { taken: null }, 2400],
  ])('is done: %s', async (_, set, refunded) => {
    answers({ inspectRefund: () => back })
    const { outcome, after } = await payingBack({ status: 'refund_pending', refund_id: 'BACK', ...set })
    expect([outcome, asked]).toEqual(['over', ['inspectRefund BACK']])
    expect(after).toMatchObject({ status: 'refunded', refunded })
  })
})
