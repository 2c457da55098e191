import type { PaymentItem, PaymentStatus } from '../platform/table/items.ts'
import { type GivesBack, withDecidedRefunds } from './credit-refunds.ts'
import type { PaymentView, RefundView } from './provider.ts'
import { amountTakenIn, amountTakenOf, hasLostCapture, hasRefusedRefund } from './record.ts'

// The life of a payment: what each fact does to it, and what then has to be done. Nothing else sets a status.

/** A request that claimed a payment: the status before, and what the request may do. */
export type Claim = {
  before: PaymentStatus
  /** True if it may capture what the payer approved. */
  mayCapture: boolean
  /** The only payer whose money it takes. */
  payerId?: string | undefined
  /** True once it has requested the capture. */
  hasRequested?: boolean
}

/** A fact about a payment. */
export type PaymentEvent =
  | { is: 'opened'; opened: Pick<PaymentItem, 'provider' | 'account' | 'external_id' | 'target_url'> }
  | { is: 'claimed' }
  /** The provider shows the payment: to the request that claimed it, or about money that was taken before. */
  | { is: 'reported'; view: PaymentView; claim?: Claim; isOrderCancelled?: boolean }
  /** The provider did nothing, and would refuse the same request again. */
  | { is: 'refused'; reason: string | null; claim: Claim }
  /** It is unknown what the provider did. */
  | { is: 'unanswered'; claim: Claim }
  /** The order cannot take the money that was reported. */
  | { is: 'order_refused'; money: Money }
  /** `ifUnopened`: only while the payment has not reached its provider. */
  | { is: 'order_cancelled'; givesBack?: GivesBack | undefined; ifUnopened?: boolean | undefined }
  | { is: 'refund_answered'; answer: RefundView }
  | { is: 'refund_refused' }
  /** The provider could not serve the payment for days. */
  | { is: 'failing_for_long'; reason: string | null }
  /** The merchant's decision: the order takes the money or is kept without it, or the money goes back. */
  | { is: 'decided'; decision: 'accept' | 'refund'; givesBack?: GivesBack }

type Money = Partial<Pick<PaymentItem, 'capture_id' | 'payer_id' | 'taken'>>

/** Why a claimed payment was not paid; after `unpayable` it cannot be. */
export type Unpaid = {
  status: 'open' | 'approved' | 'declined' | 'mismatch' | 'unpayable' | 'review' | 'other payer'
  reason: string | null
  taken?: PaymentItem['taken']
}

/**
 * The changed fields, and what has to be done next: `ask` or `capture` at the provider, `settle` with the order in one
 * transaction, `refund`, `expire` the order, wait for the merchant's `review`, or `wait` until the payment is due again.
 */
export type Next = {
  set: Partial<PaymentItem>
  todo: 'ask' | 'capture' | 'settle' | 'refund' | 'expire' | 'review' | 'wait'
  unpaid?: Unpaid
}

/** `busy`: another request has claimed the payment. */
export type Refused = { refused: 'busy' | 'not_in_this_status' }

const refused: Refused = { refused: 'not_in_this_status' }

// Longer than any function runs, so that no request still works on a payment whose claim has expired.
const leaseMs = 60_000

const maxFailedRefunds = 3

const claimed = ({ status, lease }: PaymentItem, now: number): Next | Refused => {
  const isClaimable = status === 'open' || status === 'pending' || status === 'declined' || status === 'capturing'
  if (!isClaimable) return refused
  if (status === 'capturing' && lease > now) return { refused: 'busy' }
  return { set: { status: 'capturing', lease: now + leaseMs }, todo: 'ask' }
}

const moneyIn = (view: PaymentView) => ({
  capture_id: view.captureId,
  payer_id: view.payerId,
  taken: amountTakenIn(view),
})

const isRightAmount = ({ amount, currency, customId }: PaymentView, payment: PaymentItem): boolean =>
  amount === payment.amount && currency === payment.currency && customId === payment.uuid

/** The payment with money that arrived, perhaps without a part that was refunded since, or is on its way. */
const paidBy = (view: PaymentView): Partial<PaymentItem> => {
  const money = { ...moneyIn(view), reason: view.reason, refunded: view.refunded ?? 0, lease: 0 }
  if (view.state !== 'captured') return { ...money, status: 'pending' }
  return money.refunded > 0
    ? { ...money, status: 'refunded_in_part', returned: 'undecided' }
    : { ...money, status: 'captured' }
}

const toReview = (reason: string, money: Money): Next => ({
  set: { ...money, status: 'review', reason, lease: 0 },
  todo: 'review',
  unpaid: { status: 'review', reason, taken: money.taken ?? null },
})

/** A claimed payment without money, which other requests may claim again. */
const released = (
  { refusals }: PaymentItem,
  { before, hasRequested }: Claim,
  unpaid: Unpaid & { status: Exclude<Unpaid['status'], 'review'> },
): Next => {
  const attempts = refusals + (hasRequested ? 1 : 0)
  const { reason } = unpaid
  switch (unpaid.status) {
    case 'other payer':
      return { set: { status: before, lease: 0 }, todo: 'wait', unpaid }
    case 'approved':
      // Declined money is requested again only when the buyer comes back.
      return { set: { status: before === 'declined' ? before : 'open', lease: 0 }, todo: 'wait', unpaid }
    case 'open':
    case 'mismatch':
      return { set: { status: 'open', reason, refusals: attempts, lease: 0 }, todo: 'wait', unpaid }
    case 'declined':
      return { set: { status: 'declined', reason, refusals: attempts, lease: 0 }, todo: 'wait', unpaid }
    case 'unpayable':
      return { set: { status: 'declined', reason, refusals: attempts, lease: 0 }, todo: 'expire', unpaid }
  }
}

/** Applies a provider's answer for the request that claimed the payment. */
const reportedToClaim = (payment: PaymentItem, view: PaymentView, claim: Claim): Next => {
  const { state, reason } = view
  const isOtherPayer = claim.payerId !== undefined && view.payerId !== null && view.payerId !== claim.payerId
  const isRight = isRightAmount(view, payment)
  const without = (status: Exclude<Unpaid['status'], 'review'>, why = reason): Next =>
    released(payment, claim, { status, reason: why })
  // A capture that was requested without an answer may have taken money, too.
  if (hasLostCapture(payment, view) || (state === 'missing' && claim.before === 'capturing')) {
    const { taken, capture_id, payer_id } = payment
    return toReview('UNKNOWN_TO_PROVIDER', { taken, capture_id, payer_id })
  }
  switch (state) {
    case 'captured':
    case 'pending':
      if (!isRight) return toReview('AMOUNT_MISMATCH', moneyIn(view))
      return isOtherPayer ? without('other payer') : { set: paidBy(view), todo: 'settle' }
    case 'approved':
      if (!isRight) return without('mismatch')
      if (isOtherPayer) return without('other payer')
      if (claim.mayCapture && !claim.hasRequested) return { set: {}, todo: 'capture' }
      return without('approved')
    case 'open':
      return without('open')
    case 'declined':
      // A capture that failed later cannot be repeated.
      return without(view.captureId ? 'unpayable' : 'declined')
    case 'missing':
      return without('unpayable')
    case 'cancelled':
    case 'refunded':
      return without('unpayable', reason ?? state.toUpperCase())
  }
}

/** Applies a provider's answer about money of a paid order: the merchant decides about what others gave back. */
const reportedOfPaid = (payment: PaymentItem, view: PaymentView, isOrderCancelled: boolean): Next => {
  const returned = isOrderCancelled ? 'decided' : 'undecided'
  if (view.state === 'refunded') {
    const refunded = view.refunded ?? amountTakenOf(payment)
    return { set: { status: 'refunded', refunded, returned }, todo: 'review' }
  }
  if (view.state !== 'captured' || view.refunded === null || view.refunded <= payment.refunded)
    return { set: {}, todo: 'wait' }
  return { set: { status: 'refunded_in_part', refunded: view.refunded, returned }, todo: 'review' }
}

/** Applies a provider's answer about money that no order takes. */
const reportedOfUnused = (payment: PaymentItem, view: PaymentView): Next => {
  const { state, captureId } = view
  switch (state) {
    case 'captured': {
      const taken = amountTakenIn(view) ?? payment.taken
      return {
        set: { status: 'refund_due', capture_id: captureId ?? payment.capture_id, taken },
        todo: 'refund',
      }
    }
    case 'refunded': {
      const refunded = view.refunded ?? view.amount ?? payment.amount
      return { set: { status: 'refunded', capture_id: captureId, refunded }, todo: 'wait' }
    }
    default:
      if (hasLostCapture(payment, view))
        return { set: { status: 'review', reason: 'UNKNOWN_TO_PROVIDER' }, todo: 'review' }
      if (state === 'pending') return { set: { status: 'refund_due', capture_id: captureId }, todo: 'wait' }
      // A capture that was requested at the last moment may still take effect.
      return { set: { status: 'cancelled' }, todo: 'wait' }
  }
}

type Reported = Extract<PaymentEvent, { is: 'reported' }>

const reported = (payment: PaymentItem, { view, claim, isOrderCancelled = false }: Reported): Next | Refused => {
  if (claim) return reportedToClaim(payment, view, claim)
  switch (payment.status) {
    case 'captured':
    case 'refunded_in_part':
      return reportedOfPaid(payment, view, isOrderCancelled)
    case 'cancelled':
    case 'refund_due':
    case 'refund_pending':
      return reportedOfUnused(payment, view)
    default:
      return refused
  }
}

const byHand = (payment: PaymentItem): Next => ({
  set: { status: 'refunded', refunded: amountTakenOf(payment) },
  todo: 'wait',
})

/** Money in review goes back because its order is cancelled. */
const decidedUnused = (payment: PaymentItem, givesBack: GivesBack): Next => {
  if (givesBack === 'by hand') return byHand(payment)
  return payment.capture_id
    ? { set: { status: 'refund_due' }, todo: 'refund' }
    : { set: { status: 'cancelled' }, todo: 'wait' }
}

type OrderCancelled = Extract<PaymentEvent, { is: 'order_cancelled' }>

const orderCancelled = (payment: PaymentItem, { givesBack, ifUnopened }: OrderCancelled): Next | Refused => {
  const { status } = payment
  if (ifUnopened) return status === 'created' ? { set: { status: 'cancelled' }, todo: 'wait' } : refused
  switch (status) {
    case 'created':
    case 'open':
    case 'declined':
      // A capture may still be under way: the payment is reconciled once more.
      return { set: { status: 'cancelled' }, todo: 'wait' }
    case 'pending':
      return { set: { status: 'refund_due' }, todo: 'refund' }
    case 'cancelled':
    case 'refund_due':
    case 'refund_pending':
    case 'refunded':
      return { set: {}, todo: 'wait' }
    case 'review':
      return givesBack ? decidedUnused(payment, givesBack) : refused
    // Stryker disable next-line StringLiteral: Without the case the same is returned; the types demand it.
    case 'captured':
    case 'refunded_in_part':
    // Stryker disable next-line StringLiteral: Without the case the same is returned; the types demand it.
    case 'capturing':
      return refused
  }
}

const refundAnswered = (payment: PaymentItem, { state, refundId }: RefundView): Next => {
  if (state === 'refunded')
    return { set: { status: 'refunded', refund_id: refundId, refunded: amountTakenOf(payment) }, todo: 'wait' }
  if (state === 'pending') return { set: { status: 'refund_pending', refund_id: refundId }, todo: 'wait' }
  const failed_refunds = payment.failed_refunds + 1
  const set = { failed_refunds, refund_id: null, reason: 'REFUND_FAILED' }
  return failed_refunds < maxFailedRefunds
    ? { set: { ...set, status: 'refund_due' }, todo: 'refund' }
    : { set: { ...set, status: 'review' }, todo: 'review' }
}

type Interrupted = Extract<PaymentEvent, { is: 'refused' | 'unanswered' }>

/** A claimed payment whose provider threw. */
const interrupted = (payment: PaymentItem, { claim, ...event }: Interrupted): Next => {
  const { before, hasRequested } = claim
  if (!hasRequested) return { set: { status: before, lease: 0 }, todo: 'wait' }
  // The outcome stays unknown; the next request may claim the payment immediately.
  if (event.is === 'unanswered') return { set: { status: 'capturing', lease: 0 }, todo: 'wait' }
  // PayPal repeats a definite refusal to the same request id, even when its cause is gone.
  return {
    set: { status: 'open', reason: event.reason, refusals: payment.refusals + 1, lease: 0 },
    todo: 'wait',
  }
}

const failingForLong = ({ status, lease }: PaymentItem, reason: string | null, now: number): Next | Refused => {
  switch (status) {
    case 'open':
    case 'declined':
      return { set: {}, todo: 'expire' }
    case 'capturing':
      return lease > now ? { refused: 'busy' } : { set: { status: 'review', reason, lease: 0 }, todo: 'review' }
    case 'pending':
      return { set: { status: 'review', reason, lease: 0 }, todo: 'review' }
    case 'refund_due':
    case 'refund_pending':
      return { set: { status: 'review', reason }, todo: 'review' }
    default:
      return refused
  }
}

type Decided = Extract<PaymentEvent, { is: 'decided' }>

/** A decision about a payment whose order stays as it is; an order is cancelled by another event. */
const decided = (payment: PaymentItem, { decision, givesBack = 'at the provider' }: Decided): Next => {
  if (decision === 'accept')
    return payment.returned === 'undecided'
      ? { set: { returned: 'decided' }, todo: 'wait' }
      : { set: { status: 'captured' }, todo: 'settle' }
  if (hasRefusedRefund(payment)) return { set: withDecidedRefunds(payment, givesBack), todo: 'refund' }
  if (givesBack === 'by hand') return byHand(payment)
  // A new number of failed refunds makes a new request id: the old id would be refused again.
  return { set: { status: 'refund_due', failed_refunds: payment.failed_refunds + 1 }, todo: 'refund' }
}

/** Applies a fact to a payment; `now` in epoch milliseconds. */
export const nextPayment = (payment: PaymentItem, event: PaymentEvent, now = Date.now()): Next | Refused => {
  switch (event.is) {
    case 'opened':
      return { set: { status: 'open', ...event.opened }, todo: 'wait' }
    case 'claimed':
      return claimed(payment, now)
    case 'reported':
      return reported(payment, event)
    case 'refused':
    case 'unanswered':
      return interrupted(payment, event)
    case 'order_refused':
      return { set: { ...event.money, status: 'refund_due', lease: 0 }, todo: 'refund' }
    case 'order_cancelled':
      return orderCancelled(payment, event)
    case 'refund_answered':
      return refundAnswered(payment, event.answer)
    case 'refund_refused':
      // The same request id would bring the same refusal again.
      return { set: { failed_refunds: payment.failed_refunds + 1 }, todo: 'refund' }
    case 'failing_for_long':
      return failingForLong(payment, event.reason, now)
    case 'decided':
      return decided(payment, event)
  }
}

/** The fields that a fact changes. Throws if it cannot happen to the payment. */
export const setBy = (payment: PaymentItem, event: PaymentEvent): Next['set'] => {
  const next = nextPayment(payment, event)
  if ('refused' in next) throw new Error(`${event.is} cannot happen to a payment that is ${payment.status}`)
  return next.set
}
