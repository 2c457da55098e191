import { randomUUID } from 'node:crypto'
import type { CreditRefund, PaymentItem, PaymentStatus } from '../platform/table/items.ts'
import type { Cents } from '../values/money.ts'
import type { RefundView } from './provider.ts'
import { amountTakenOf, openRefunds } from './record.ts'

/** How money that a provider took goes back. */
export type GivesBack = 'at the provider' | 'by hand'

type Change = Partial<Pick<PaymentItem, 'status' | 'refunded' | 'refunds' | 'reason' | 'failing_since'>>

const maxFailed = 3

const sumOf = (refunds: readonly CreditRefund[]): Cents => refunds.reduce((sum, { amount }) => sum + amount, 0)

const isOver = ({ state }: CreditRefund): boolean => state === 'refunded' || state === 'by_hand'

const refundsOf = ({ refunds = [] }: PaymentItem): CreditRefund[] => refunds

/** The captured money that has not gone back, and is not about to. */
const refundable = (payment: PaymentItem): Cents => {
  const promised = sumOf(refundsOf(payment).filter(one => !isOver(one)))
  return Math.max(0, amountTakenOf(payment) - payment.refunded - promised)
}

const statusAt = (payment: PaymentItem, refunded: Cents): PaymentStatus => {
  if (refunded >= amountTakenOf(payment)) return 'refunded'
  return refunded > 0 ? 'refunded_in_part' : payment.status
}

const refundedNow = (payment: PaymentItem, refunded: Cents, refunds: CreditRefund[]): Change => ({
  status: statusAt(payment, refunded),
  refunded,
  refunds,
})

/** With a credit's refund that is to be requested: as much as the payment has left. Undefined if that is nothing. */
export const withDueRefund = (payment: PaymentItem, credit: number, wanted: Cents): Change | undefined => {
  const amount = Math.min(wanted, refundable(payment))
  if (amount === 0) return undefined
  const refund = { credit, amount, state: 'due', request_id: randomUUID(), refund_id: null, failed: 0 } as const
  // Its three days begin with its own first failure.
  const isOnlyOne = openRefunds(payment).length === 0
  return { refunds: [...refundsOf(payment), refund], ...(isOnlyOne && { failing_since: null }) }
}

/** With money that the merchant gave back outside of this service: as much as the payment has left, or undefined. */
export const withManualRefund = (payment: PaymentItem, credit: number, wanted: Cents): Change | undefined => {
  const amount = Math.min(wanted, refundable(payment))
  if (amount === 0) return undefined
  const refund = { credit, amount, state: 'by_hand', request_id: '', refund_id: null, failed: 0 } as const
  return refundedNow(payment, payment.refunded + amount, [...refundsOf(payment), refund])
}

const replaced = (payment: PaymentItem, before: CreditRefund, after: CreditRefund): CreditRefund[] =>
  refundsOf(payment).map(one => (one === before ? after : one))

/** The open refund that a request was about; undefined if another request has recorded its outcome. */
const requested = (payment: PaymentItem, { credit, request_id, state }: CreditRefund): CreditRefund | undefined =>
  refundsOf(payment).find(one => one.credit === credit && one.request_id === request_id && one.state === state)

/** With the provider's answer to the request of an open refund; undefined if that changes nothing. */
export const withAnswer = (
  payment: PaymentItem,
  asked: CreditRefund,
  { state, refundId }: RefundView,
): Change | undefined => {
  const refund = requested(payment, asked)
  if (!refund) return undefined
  const refund_id = refundId ?? refund.refund_id
  if (state === 'refunded') {
    const refunded = Math.min(amountTakenOf(payment), payment.refunded + refund.amount)
    return refundedNow(payment, refunded, replaced(payment, refund, { ...refund, state: 'refunded', refund_id }))
  }
  if (state === 'pending') {
    if (refund.state === 'pending') return undefined
    return { refunds: replaced(payment, refund, { ...refund, state, refund_id }) }
  }
  // The same request id would bring the same refusal again.
  const failed = refund.failed + 1
  const again = { ...refund, state: 'due', request_id: randomUUID(), refund_id: null, failed } as const
  const after = failed < maxFailed ? again : ({ ...again, state: 'review' } as const)
  return { refunds: replaced(payment, refund, after), ...(after.state === 'review' && { reason: 'REFUND_FAILED' }) }
}

/** True if a refund is in review and may have been made all the same: the provider has not refused its last request. */
const isUnclear = ({ state, failed }: CreditRefund): boolean => state === 'review' && failed < maxFailed

export const hasUnclearRefund = (payment: PaymentItem): boolean => refundsOf(payment).some(isUnclear)

/** With all open refunds in review. */
export const withRefusedRefunds = (payment: PaymentItem): Change => ({
  refunds: refundsOf(payment).map(one => (isOver(one) ? one : { ...one, state: 'review' })),
  reason: 'REFUND_REFUSED',
})

/**
 * With the operator's decision about refunds in review: to be requested again, as far as money is left, or given back outside
 * of this service.
 */
export const withDecidedRefunds = (payment: PaymentItem, way: GivesBack): Change => {
  let after: PaymentItem = { ...payment, refunds: refundsOf(payment).filter(({ state }) => state !== 'review') }
  for (const refund of refundsOf(payment).filter(({ state }) => state === 'review')) {
    const { credit, amount } = refund
    const left = Math.min(amount, refundable(after))
    if (way === 'by hand') after = { ...after, ...withManualRefund(after, credit, amount) }
    else if (left > 0 || isUnclear(refund)) {
      // A request that may have had its effect is repeated under its id, with its amount.
      const again = { ...refund, amount: isUnclear(refund) ? amount : left, state: 'due', failed: 0 } as const
      after = { ...after, refunds: [...refundsOf(after), again] }
    }
  }
  const { status, refunded, refunds = [] } = after
  return { status, refunded, refunds }
}
