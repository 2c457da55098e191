import type { PaymentFields, PaymentItem, PaymentStatus } from '../platform/table/items.ts'
import type { Claim, GivesBack, Money, Next, PaymentEvent, Refused, Unpaid } from './events.ts'
import { amountTakenIn, hasLostCapture, type PaymentView } from './provider.ts'
import {
  asRefundOf,
  changed,
  expectedRefunds,
  refundableOf,
  refusedRefunds,
  reportedOfPaid,
  reportedOfUnused,
  unused,
  withAnswer,
  withDecidedRefunds,
  withOpenInReview,
  withRefund,
} from './refunds.ts'

// The life of a payment: what each fact does to it, and what then has to be done. Nothing else sets a status.

const refused: Refused = { refused: 'not_in_this_status' }

// Longer than any function runs, so that no request still works on a payment whose claim has expired.
const leaseMs = 60_000

const claimed = (payment: PaymentItem, now: number): Next | Refused => {
  const { status } = payment
  const isClaimable = status === 'open' || status === 'pending' || status === 'declined' || status === 'capturing'
  if (!isClaimable) return refused
  if (status === 'capturing' && payment.lease > now) return { refused: 'busy' }
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
  const money = { ...moneyIn(view), reason: view.reason }
  if (view.state !== 'captured') return { ...money, status: 'pending' }
  const back = view.refunded ?? 0
  return { ...money, status: 'captured', reported: back, returned: back, undecided: back }
}

const toReview = (reason: string, money: Money): Next => ({
  set: { ...money, status: 'review', reason },
  todo: 'review',
  unpaid: { status: 'review', reason, taken: money.taken ?? null },
})

/** As before the claim; other requests may claim it immediately, also where the outcome of an earlier claim is unknown. */
const unclaimed = (before: PaymentStatus): Partial<PaymentItem> =>
  before === 'capturing' ? { status: before, lease: 0 } : { status: before }

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
      return { set: unclaimed(before), todo: 'wait', unpaid }
    case 'approved':
      // Declined money is requested again only when the buyer comes back.
      return { set: { status: before === 'declined' ? before : 'open' }, todo: 'wait', unpaid }
    case 'open':
    case 'mismatch':
      return { set: { status: 'open', reason, refusals: attempts }, todo: 'wait', unpaid }
    case 'declined':
      return { set: { status: 'declined', reason, refusals: attempts }, todo: 'wait', unpaid }
    case 'unpayable':
      return { set: { status: 'declined', reason, refusals: attempts }, todo: 'expire', unpaid }
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

type Accepted = Extract<PaymentEvent, { decision: 'accept' }>
type GivenBack = Extract<PaymentEvent, { decision: 'refund' }>
type OrderCancelled = Extract<PaymentEvent, { is: 'order_cancelled' }>
type Credited = Extract<PaymentEvent, { is: 'credited' }>
type RefundAnswered = Extract<PaymentEvent, { is: 'refund_answered' }>
type Reported = Extract<PaymentEvent, { is: 'reported' }>

const reported = (payment: PaymentItem, { view, claim, isOrderCancelled = false }: Reported): Next | Refused => {
  if (claim) return reportedToClaim(payment, view, claim)
  switch (payment.status) {
    case 'captured':
      return reportedOfPaid(payment, view, isOrderCancelled)
    case 'cancelled':
    case 'unused':
      return reportedOfUnused(payment, view)
    default:
      return refused
  }
}

/** Money in review goes back because its order does not take it; where there was none, the payment is over. */
const giveUp = (payment: PaymentItem, way: GivesBack): Next =>
  payment.capture_id || way === 'by hand' ? unused(payment, {}, way) : { set: { status: 'cancelled' }, todo: 'wait' }

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
      return unused(payment, {})
    case 'cancelled':
    case 'unused':
      return { set: {}, todo: 'wait' }
    case 'review':
      return givesBack ? giveUp(payment, givesBack) : refused
    // Stryker disable next-line StringLiteral: Without the case the same is returned; the types demand it.
    case 'captured':
    // Stryker disable next-line StringLiteral: Without the case the same is returned; the types demand it.
    case 'capturing':
      return refused
  }
}

/** The order was credited; what a credit of all of it leaves with the merchant is in question. */
const credited = (payment: PaymentItem, { credit, amount, way, isWhole, isCancelled }: Credited): Next => {
  const entry = (way !== 'none' && withRefund(payment, credit, amount, way)) || {}
  const after = changed(payment, entry)
  const isLeft = isWhole && refundableOf(after) > 0
  return {
    set: {
      ...entry,
      ...(payment.decided && { decided: null }),
      ...(isCancelled && payment.undecided > 0 && { undecided: 0 }),
      ...(isLeft && { left: 'undecided' as const, reason: 'MONEY_LEFT' }),
    },
    todo: way === 'at the provider' ? 'refund' : isLeft ? 'review' : 'wait',
  }
}

const refundAnswered = (payment: PaymentItem, { refund, answer }: RefundAnswered): Next => {
  const set = withAnswer(payment, refund, answer)
  if (!set) return { set: {}, todo: 'wait' }
  return { set, todo: refusedRefunds(changed(payment, set)).length > 0 ? 'review' : 'wait' }
}

type Interrupted = Extract<PaymentEvent, { is: 'refused' | 'unanswered' }>

/** A claimed payment whose provider threw. */
const interrupted = (payment: PaymentItem, { claim, ...event }: Interrupted): Next => {
  const { before, hasRequested } = claim
  if (!hasRequested) return { set: unclaimed(before), todo: 'wait' }
  // The outcome stays unknown; the next request may claim the payment immediately.
  if (event.is === 'unanswered') return { set: { status: 'capturing', lease: 0 }, todo: 'wait' }
  // PayPal repeats a definite refusal to the same request id, even when its cause is gone.
  return {
    set: { status: 'open', reason: event.reason, refusals: payment.refusals + 1 },
    todo: 'wait',
  }
}

const failingForLong = (payment: PaymentItem, reason: string | null, now: number): Next | Refused => {
  switch (payment.status) {
    case 'open':
    case 'declined':
      return { set: {}, todo: 'expire' }
    case 'capturing':
      return payment.lease > now ? { refused: 'busy' } : { set: { status: 'review', reason }, todo: 'review' }
    case 'pending':
      return { set: { status: 'review', reason }, todo: 'review' }
    case 'captured':
    case 'unused':
      return { set: { refunds: withOpenInReview(payment), reason: 'REFUND_REFUSED' }, todo: 'review' }
    default:
      return refused
  }
}

/** The change of a decision, which answers all that is in question about money that went back, or was left. */
const answered = ({ undecided, left }: PaymentItem): Partial<PaymentFields> => ({
  ...(undecided > 0 && { undecided: 0 }),
  ...(left && { left: null }),
})

const accepted = (payment: PaymentItem, credit: Accepted['credit']): Next => {
  const set = answered(payment)
  if (Object.keys(set).length === 0) return { set: { status: 'captured' }, todo: 'settle' }
  return { set: { ...(credit && asRefundOf(payment, credit)), ...set }, todo: 'wait' }
}

const givenBack = (payment: PaymentItem, way: GivesBack): Next => {
  const isAsked = refusedRefunds(payment).length > 0
  if (payment.status !== 'captured' && !isAsked) return unused(payment, {}, way)
  const isAnnounced = expectedRefunds(payment).length > 0 && refundableOf(payment) === 0
  if (isAsked || isAnnounced) return { set: withDecidedRefunds(payment, way), todo: 'refund' }
  const entry = withRefund(payment, null, Number.POSITIVE_INFINITY, way)
  return { set: { ...entry, ...answered(payment) }, todo: 'refund' }
}

/** A decision about a payment whose order stays as it is; an order is cancelled by another event. */
const decided = (payment: PaymentItem, event: Accepted | GivenBack): Next => {
  const next = event.decision === 'accept' ? accepted(payment, event.credit) : givenBack(payment, event.givesBack)
  return { ...next, set: { ...next.set, decided: event.decision } }
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
      return unused(payment, event.money)
    case 'order_cancelled':
      return orderCancelled(payment, event)
    case 'credited':
      return credited(payment, event)
    case 'refund_answered':
      return refundAnswered(payment, event)
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
