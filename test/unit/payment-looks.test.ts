import fc from 'fast-check'
import { amountTakenIn, hasLostCapture, type PaymentView, requestIdOf } from '../../shared/payments/provider.ts'
import {
  hasFailedForLong,
  ifUnchanged,
  nextCheck,
  taskKey,
  taskKeyOf,
  unopenedFields,
} from '../../shared/payments/record.ts'
import type { Opened, PaymentFields, PaymentItem, PaymentStatus } from '../../shared/platform/table/items.ts'
import { timestamp } from '../../shared/values/time.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.UTC(2026, 5, 15, 12)

type Changes = Partial<PaymentFields> & { external_id?: Opened['external_id'] | null; lease?: number }

const payment = (status: PaymentStatus, age: number, changes: Changes = {}): PaymentItem =>
  ({
    uuid: '0193d2a4-7c1e-7b55-9d3a-6f0c2e91ab47',
    order: 1,
    order_uuid: 'd9f80740-38f0-11e8-b467-0ed5f89f718b',
    type: 'paypal',
    amount: 2400,
    currency: 'EUR',
    status,
    ...unopenedFields,
    external_id: '5O190127TN364715T',
    return_url: 'https://shop.example/done',
    cancel_url: 'https://shop.example/cancelled',
    crstamp: timestamp(now - age),
    ...changes,
  }) as PaymentItem

const minutesUntil = (status: PaymentStatus, age: number, changes: Changes = {}): number | null => {
  const next = nextCheck(payment(status, age, changes), now)
  return next === null ? null : (next - now) / minute
}

describe('the next check of a payment', () => {
  test.each([
    'created',
    'open',
    'declined',
  ] as const)('that is %s is within the time of an approval, at any age', status => {
    expect([0, 30 * minute, day].map(age => minutesUntil(status, age))).toEqual([10, 30, 120])
  })

  const refund = { credit: null, amount: 2400, request_id: 'b0', refund_id: null, failed: 0 } as const

  test.each<[string, PaymentStatus, Changes]>([
    ['pending', 'pending', {}],
    ['due for refund', 'unused', { refunds: [{ ...refund, state: 'due' }] }],
    ['being refunded', 'captured', { refunds: [{ ...refund, credit: 1, state: 'pending' }] }],
  ])('that is %s is within the hour, for ever', (_, status, changes) => {
    expect([0, 30 * minute, 30 * day].map(age => minutesUntil(status, age, changes))).toEqual([4, 30, 60])
  })

  test('that is captured is once a day for 60 days, while money could go back', () => {
    expect([0, 59 * day, 60 * day].map(age => minutesUntil('captured', age))).toEqual([1440, 1440, null])
    expect(minutesUntil('captured', 0, { reported: 2400 })).toBeNull()
  })

  test('that is being captured is when the claim ends', () => {
    expect(minutesUntil('capturing', 0, { lease: now + 90_000 })).toBe(1.5)
    expect(minutesUntil('capturing', 0, { lease: 0 })).toBe(1)
  })

  test('that was cancelled with its order is due for a day, because money may still arrive', () => {
    expect([0, hour, 25 * hour, 27 * hour].map(age => minutesUntil('cancelled', age))).toEqual([10, 60, 720, null])
    // No payer was ever sent to it.
    expect(minutesUntil('cancelled', 0, { external_id: null })).toBeNull()
  })

  test.each(['unused', 'review'] as const)('that is %s is never due', status => {
    expect(minutesUntil(status, 0)).toBeNull()
  })
})

test('payments in review have other index keys than those to be reconciled', () => {
  expect(taskKey('due', now)).toBe('due#2026-06-15 12:00:00')
  expect(taskKey('review', now)).toBe('review#2026-06-15 12:00:00')
  expect(taskKeyOf(payment('review', 0), now)).toBe(taskKey('review', now))
  expect(taskKeyOf(payment('open', 0), now)).toBe(taskKey('due', now + 10 * minute))
  expect(taskKeyOf(payment('captured', 60 * day), now)).toBeNull()
})

test('each attempt after a refusal is a new request to the provider, with an id of at most 38 characters', () => {
  const verbs = fc.constantFrom('open' as const, 'take' as const, 'back' as const)
  const attempts = fc.nat({ max: 999 })
  fc.assert(
    fc.property(fc.uuid(), verbs, attempts, verbs, attempts, (uuid, verb, attempt, otherVerb, otherAttempt) => {
      const id = requestIdOf(uuid, verb, attempt)
      expect(id.length).toBeLessThanOrEqual(38)
      const isSame = verb === otherVerb && attempt === otherAttempt
      expect(id === requestIdOf(uuid, otherVerb, otherAttempt)).toBe(isSame)
    }),
  )
})

test('a payment of a cancelled order is checked until no money can arrive any more', () => {
  expect(minutesUntil('cancelled', 26 * hour - 1000)).toBe(12 * 60)
  expect(minutesUntil('cancelled', 26 * hour)).toBe(null)
})

test('a provider that could not serve a payment for three days never will', () => {
  const failsAfter = (failing: number) => hasFailedForLong({ failing_since: now - failing }, now)
  expect([0, 72 * hour - 1, 72 * hour, 90 * day].map(failsAfter)).toEqual([false, false, true, true])
  expect(hasFailedForLong({ failing_since: null }, now)).toBe(false)
})

test('a payment is unchanged if its version is', () => {
  expect(ifUnchanged({ version: 7 })).toEqual({ attribute: 'version', is: '=', value: 7 })
  expect(ifUnchanged({})).toEqual({ attribute: 'version', is: 'absent' })
})

describe('the answer of a provider', () => {
  const view = (amount: number | null, currency: string | null) => ({ amount, currency }) as PaymentView

  test('contains the captured money if it names amount and currency', () => {
    expect(amountTakenIn(view(2519, 'EUR'))).toEqual({ amount: 2519, currency: 'EUR' })
    expect([view(null, 'EUR'), view(2519, null), view(null, null)].map(amountTakenIn)).toEqual([null, null, null])
  })

  test('shows a loss if the provider captured money that it no longer knows', () => {
    const lost = (before: string | null, captureId: string | null) =>
      hasLostCapture({ capture_id: before }, { ...view(2519, 'EUR'), captureId })
    expect([lost('C1', null), lost('C1', 'C1'), lost(null, 'C1'), lost(null, null)]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})
