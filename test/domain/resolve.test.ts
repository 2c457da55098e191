import { Problem } from '../../shared/contract/errors.ts'
import { claimPayment } from '../../shared/orders/checkout/capture.ts'
import { finishPayment } from '../../shared/orders/checkout/finish.ts'
import { resolvePayment } from '../../shared/orders/checkout/take-payment.ts'
import { bareView } from '../../shared/payments/provider.ts'
import { providerFailure } from '../../shared/payments/provider-failure.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayments, scriptedProvider, viewOf } from '../support/payment-fixtures.ts'

// Who may ask a provider for a payment, whether money is asked for, and what is said when there is none.

const noon = Date.UTC(2026, 4, 1, 12)
const clock = useFakeClock(noon)
const { merchant, put, change, stored } = newPayments()
const { asked, answers } = await scriptedProvider()

const verbs = () => asked.map(text => text.split(' ')[0])
const check = (present: PaymentItem | undefined): PaymentItem => {
  if (!present) throw new Error('the payment is gone')
  return present
}
const claiming = ({ uuid }: PaymentItem, patience?: number) => claimPayment(merchant, uuid, check, patience)

describe('money that the payer approved', () => {
  const uuid = '7f000000-0000-4000-8000-000000000001'

  test.each<[string, Partial<PaymentItem>, boolean, string[]]>([
    ['is asked for, when that is wanted', { status: 'open' }, true, ['inspect', 'capture']],
    ['is asked for again after a try that died', { status: 'capturing', lease: noon }, true, ['inspect', 'capture']],
    ['is not asked for, when nobody wants it', { status: 'open' }, false, ['inspect']],
    ['is not asked for again by itself once it was declined', { status: 'declined' }, true, ['inspect']],
    ['is not asked for in a declined payment that nobody wants taken', { status: 'declined' }, false, ['inspect']],
  ])('%s', async (_, set, capture, wanted) => {
    answers({ inspect: () => viewOf('approved')(uuid), capture: () => viewOf('open')(uuid) })
    await put({ uuid, ...set })
    const resolved = await resolvePayment(merchant, uuid, 'test', { capture })
    expect([resolved, verbs()]).toEqual(['unpaid', wanted])
  })
})

describe('a payment', () => {
  test.each([
    'open',
    'pending',
    'declined',
    'capturing',
  ] as const)('that is %s is not settled: its provider is asked, and nobody else meanwhile', async status => {
    const payment = await put({ status })
    const others: unknown[] = []
    answers({
      inspect: async () => {
        others.push(await claiming(payment).catch(({ word }) => word))
        return bareView('open')
      },
    })
    expect(await resolvePayment(merchant, payment.uuid, 'test', { capture: true })).toBe('unpaid')
    expect([verbs(), others]).toEqual([['inspect'], ['payment_in_progress']])
    expect((await stored(payment.uuid)).status).toBe('open')
  })

  test('whose provider fails is given back as it was', async () => {
    for (const status of ['open', 'pending', 'declined'] as const) {
      answers({ inspect: () => Promise.reject(providerFailure('down')) })
      const payment = await put({ status })
      await expect(resolvePayment(merchant, payment.uuid, 'test', { capture: true })).rejects.toMatchObject({
        word: 'payment_provider_error',
      })
      expect(await stored(payment.uuid)).toEqual({ ...payment, version: 2 })
    }
  })
})

describe('while somebody else is at work', () => {
  const held = (milliseconds: number) => put({ status: 'capturing', lease: Date.now() + milliseconds })
  const inProgress = { word: 'payment_in_progress', status: 409, headers: { 'retry-after': '2' } }

  test('who has no patience is told so at once', async () => {
    const began = clock.now
    await expect(claiming(await held(1000))).rejects.toMatchObject(inProgress)
    expect(clock.now).toBe(began)
  })

  test('who has patience waits, and has the payment then', async () => {
    const payment = await held(1000)
    expect(await claiming(payment, 5000)).toMatchObject({ before: payment, payment: { status: 'capturing' } })
  })

  test('who has too little patience is told so when it is over', async () => {
    const began = clock.now
    await expect(claiming(await held(60_000), 1000)).rejects.toMatchObject(inProgress)
    expect(clock.now - began).toBeGreaterThanOrEqual(1000)
    expect(clock.now - began).toBeLessThan(2000)
  })

  test('their outcome is this one’s', async () => {
    const payment = await held(60_000)
    await change(payment.uuid, { status: 'captured', lease: 0 })
    expect(await claiming(payment)).toMatchObject({ settled: { status: 'captured' } })
  })
})

describe('a payment without money is refused', () => {
  const told = async (set: Partial<PaymentItem>, payerId?: string) => {
    const { uuid } = await put(set)
    try {
      await finishPayment(merchant, uuid, { actor: 'test', check, payerId })
    } catch (error) {
      if (error instanceof Problem) return `${error.status} ${error.word}: ${error.message}`
      throw error
    }
    return 'nothing'
  }

  test.each([
    ['that nobody approved', bareView('open'), '422 payment_not_approved: The payer has not approved the payment.'],
    ['that was declined', bareView('declined', 'LIMIT'), '422 payment_declined: The payment was declined: LIMIT.'],
    ['that was declined without a word', bareView('declined'), '422 payment_declined: The payment was declined.'],
    ['that was cancelled', bareView('cancelled'), '422 payment_declined: The payment was declined: CANCELLED.'],
    ['that its provider does not know', bareView('missing'), '422 payment_declined: The payment was declined.'],
    [
      'that was approved for something else',
      viewOf('approved')('another'),
      '422 amount_mismatch: The paid amount differs from the order.',
    ],
  ])('%s', async (_, view, refusal) => {
    answers({ inspect: () => view })
    expect(await told({})).toBe(refusal)
    expect(verbs()).toEqual(['inspect'])
  })
})
