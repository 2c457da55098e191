import { claimPayment, resolvePayment } from '../../shared/orders/checkout/take-payment.ts'
import { bareView } from '../../shared/payments/provider.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayments, scriptedProvider } from '../support/payment-fixtures.ts'

// Claims: only one request at a time works on a payment.

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

describe('a payment', () => {
  test.each([
    'open',
    'pending',
    'declined',
    'capturing',
  ] as const)('that is %s is not settled: its provider is asked, and no other request does so meanwhile', async status => {
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
})

describe('while another request works on a payment', () => {
  const held = (milliseconds: number) => put({ status: 'capturing', lease: Date.now() + milliseconds })
  const inProgress = { word: 'payment_in_progress', status: 409, headers: { 'retry-after': '2' } }

  test('a request without patience is refused immediately', async () => {
    const began = clock.now
    await expect(claiming(await held(1000))).rejects.toMatchObject(inProgress)
    expect(clock.now).toBe(began)
  })

  test('a request with patience waits, and then gets the payment', async () => {
    const payment = await held(1000)
    expect(await claiming(payment, 5000)).toMatchObject({ before: payment, payment: { status: 'capturing' } })
  })

  test('a request with too little patience is refused when that is over', async () => {
    const began = clock.now
    await expect(claiming(await held(60_000), 1000)).rejects.toMatchObject(inProgress)
    expect(clock.now - began).toBeGreaterThanOrEqual(1000)
    expect(clock.now - began).toBeLessThan(2000)
  })

  test('a request gets the payment that the other one has captured meanwhile', async () => {
    const payment = await held(60_000)
    await change(payment.uuid, { status: 'captured' })
    expect(await claiming(payment)).toMatchObject({ notClaimable: { status: 'captured' } })
  })
})
