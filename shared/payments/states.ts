import type { PaymentItem, PaymentStatus, Refund } from '../platform/table/items.ts'
import type { Cents } from '../values/money.ts'
import { type PaymentView, type RefundView, requestIdOf } from './provider.ts'
import { amountTakenIn, hasLostCapture } from './record.ts'
import {
  amountTakenOf,
  type GivesBack,
  refundableOf,
  refusedRefunds,
  withAnswer,
  withDecidedRefunds,
  withOpenInReview,
  withRefund,
} from './refunds.ts'

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
  /** The order was credited: so much goes back for the advice of that number, and what is left then is in question. */
  | { is: 'credited'; credit: number; amount: Cents; way: GivesBack | 'none'; isWhole: boolean; isCancelled: boolean }
  | { is: 'refund_answered'; refund: Refund; answer: RefundView }
  /** The provider could not serve the payment for days. */
  | { is: 'failing_for_long'; reason: string | null }
  /**
   * The merchant's decision: the order takes the money, or is kept without the money that others gave back, perhaps because
   * that was the refund of a `credit`; or the money goes back.
   */
  | { is: 'decided'; decision: 'accept'; credit?: { number: number; gross: Cents } | undefined }
  | { is: 'decided'; decision: 'refund'; givesBack: GivesBack }

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
  const money = { ...moneyIn(view), reason: view.reason, lease: 0 }
  if (view.state !== 'captured') return { ...money, status: 'pending' }
  const back = view.refunded ?? 0
  return { ...money, status: 'captured', reported: back, returned: back, undecided: back }
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

/** The refunds that the merchant made at the provider, as far as an amount that is reported explains them. */
const matched = (refunds: readonly Refund[], reported: Cents): { refunds: Refund[]; rest: Cents } => {
  let rest = reported
  const after = refunds.map(one => {
    if (one.state !== 'expected' || one.amount > rest) return one
    rest -= one.amount
    return { ...one, state: 'refunded' as const }
  })
  return { refunds: after, rest }
}

/** Applies a provider's answer about money of a paid order: the merchant decides about what others gave back. */
const reportedOfPaid = (payment: PaymentItem, view: PaymentView, isOrderCancelled: boolean): Next => {
  const isGone = view.state === 'refunded'
  const reported = isGone ? (view.refunded ?? amountTakenOf(payment)) : view.state === 'captured' ? view.refunded : null
  if (reported === null || reported <= payment.reported) return { set: {}, todo: 'wait' }
  const news = reported - payment.reported
  const { refunds, rest } = matched(payment.refunds, news)
  // A part that is explained is recorded first, as a step of its own.
  if (rest > 0 && rest < news) return { set: { reported: reported - rest, refunds }, todo: 'ask' }
  const undecided = payment.undecided + (isOrderCancelled ? 0 : rest)
  return {
    set: { reported, refunds, returned: payment.returned + rest, undecided, ...(payment.decided && { decided: null }) },
    todo: undecided > 0 ? 'review' : 'wait',
  }
}

/** Money that no order takes, all of which goes back. */
const unused = (payment: PaymentItem, money: Partial<PaymentItem>, way: GivesBack = 'at the provider'): Next => {
  const there = { ...payment, ...money, refunds: [] }
  const entry = withRefund(there, null, Number.POSITIVE_INFINITY, way)
  return { set: { ...money, ...entry, status: 'unused', lease: 0 }, todo: way === 'by hand' ? 'wait' : 'refund' }
}

/** Applies a provider's answer about money that no order takes. */
const reportedOfUnused = (payment: PaymentItem, view: PaymentView): Next => {
  const { state, captureId } = view
  const taken = amountTakenIn(view) ?? payment.taken
  const there = { capture_id: captureId ?? payment.capture_id, taken }
  const isNews = payment.status === 'cancelled'
  switch (state) {
    case 'captured': {
      const reported = view.refunded ?? 0
      if (isNews) return unused(payment, { ...there, reported })
      // A part that others gave back meanwhile is not refunded again.
      const left = amountTakenOf({ ...payment, taken }) - reported
      const due = payment.refunds.find(({ state }) => state === 'due')
      if (!due || due.amount === left) return { set: there, todo: 'refund' }
      const changed = { ...due, amount: left, request_id: requestIdOf(payment.uuid, 'back', payment.requests) }
      const refunds = payment.refunds.map(one => (one === due ? changed : one))
      return { set: { ...there, reported, refunds, requests: payment.requests + 1 }, todo: 'refund' }
    }
    case 'refunded': {
      const reported = view.refunded ?? view.amount ?? payment.amount
      const refunds = payment.refunds.map(one => ({ ...one, state: 'refunded' as const }))
      return { set: { status: 'unused', capture_id: captureId, reported, refunds }, todo: 'wait' }
    }
    default:
      if (hasLostCapture(payment, view))
        return { set: { refunds: withOpenInReview(payment), reason: 'UNKNOWN_TO_PROVIDER' }, todo: 'review' }
      if (state === 'pending')
        return isNews ? unused(payment, { capture_id: captureId }) : { set: { capture_id: captureId }, todo: 'wait' }
      // A capture that was requested at the last moment may still take effect.
      return { set: { status: 'cancelled', refunds: [] }, todo: 'wait' }
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
  const after = { ...payment, ...entry }
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
  return { set, todo: refusedRefunds({ ...payment, ...set }).length > 0 ? 'review' : 'wait' }
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

const failingForLong = (payment: PaymentItem, reason: string | null, now: number): Next | Refused => {
  switch (payment.status) {
    case 'open':
    case 'declined':
      return { set: {}, todo: 'expire' }
    case 'capturing':
      return payment.lease > now ? { refused: 'busy' } : { set: { status: 'review', reason, lease: 0 }, todo: 'review' }
    case 'pending':
      return { set: { status: 'review', reason, lease: 0 }, todo: 'review' }
    case 'captured':
    case 'unused':
      return { set: { refunds: withOpenInReview(payment), reason: 'REFUND_REFUSED' }, todo: 'review' }
    default:
      return refused
  }
}

/** Money that others gave back, as the refund of a credit that was made by hand, or without one. */
const asRefundOf = (payment: PaymentItem, credit: { number: number; gross: Cents }): Partial<PaymentItem> => {
  const { undecided, refunds } = payment
  const byHand = refunds.find(one => one.credit === credit.number && one.state === 'by_hand' && one.amount <= undecided)
  const isThere = refunds.some(one => one.credit === credit.number)
  if (byHand) return { refunds: refunds.map(one => (one === byHand ? { ...one, state: 'refunded' as const } : one)) }
  if (isThere) return {}
  const amount = Math.min(undecided, credit.gross)
  const entry = {
    credit: credit.number,
    amount,
    state: 'refunded',
    request_id: '',
    refund_id: null,
    failed: 0,
  } as const
  return { refunds: [...refunds, entry] }
}

const accepted = (payment: PaymentItem, credit: Accepted['credit']): Next => {
  if (payment.undecided > 0) return { set: { ...(credit && asRefundOf(payment, credit)), undecided: 0 }, todo: 'wait' }
  return payment.left ? { set: { left: 'decided' }, todo: 'wait' } : { set: { status: 'captured' }, todo: 'settle' }
}

const givenBack = (payment: PaymentItem, way: GivesBack): Next => {
  if (refusedRefunds(payment).length > 0) return { set: withDecidedRefunds(payment, way), todo: 'refund' }
  if (payment.status !== 'captured') return unused(payment, {}, way)
  const entry = withRefund(payment, null, Number.POSITIVE_INFINITY, way)
  return { set: { ...entry, ...(payment.left && { left: 'decided' }) }, todo: 'refund' }
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
