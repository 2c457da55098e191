import type { PaymentFields, PaymentItem, Refund } from '../platform/table/items.ts'
import type { Cents } from '../values/money.ts'
import type { CreditWay, GivesBack, Next } from './events.ts'
import { amountTakenIn, hasLostCapture, type PaymentView, type RefundView, requestIdOf } from './provider.ts'

// The money of a payment that goes back, in entries: for credits, and for money that no order takes.

type Refunding = Pick<PaymentItem, 'refunds'>

/** The changed fields of a payment. */
type Change = Partial<Pick<PaymentItem, 'refunds' | 'requests' | 'reported' | 'reason' | 'failing_since'>>

/** A payment with changed fields. */
export const changed = (payment: PaymentItem, set: Partial<PaymentItem>): PaymentItem =>
  ({ ...payment, ...set }) as PaymentItem

const maxFailed = 3

const sumOf = (refunds: readonly Refund[]): Cents => refunds.reduce((sum, { amount }) => sum + amount, 0)

const inState = ({ refunds }: Refunding, ...states: Refund['state'][]): Refund[] =>
  refunds.filter(({ state }) => states.includes(state))

/** The refunds that are to be requested, or under way. */
export const openRefunds = (payment: Refunding): Refund[] => inState(payment, 'due', 'pending')

/** The refunds that the merchant made at the provider, which has not reported them yet. */
export const expectedRefunds = (payment: Refunding): Refund[] => inState(payment, 'expected')

/** True while money is going back, by this service or announced by the merchant. */
export const isGoingBack = (payment: Refunding): boolean => inState(payment, 'due', 'pending', 'expected').length > 0

export const refusedRefunds = (payment: Refunding): Refund[] => inState(payment, 'review')

export const amountTakenOf = ({ taken, amount }: Pick<PaymentItem, 'taken' | 'amount'>): Cents =>
  taken?.amount ?? amount

/** The money that went back to the payer: at the provider, and by hand. */
export const givenBackOf = (payment: Pick<PaymentItem, 'refunds' | 'reported'>): Cents =>
  payment.reported + sumOf(inState(payment, 'by_hand'))

/** The captured money that has not gone back, and is not about to. */
export const refundableOf = (payment: PaymentItem): Cents => {
  const promised = sumOf(inState(payment, 'due', 'pending', 'expected', 'review'))
  return Math.max(0, amountTakenOf(payment) - givenBackOf(payment) - promised)
}

/** True if the merchant has to decide about money that a credit of the whole order left, and that is still there. */
export const isLeftUndecided = (payment: PaymentItem): boolean =>
  payment.left === 'undecided' && refundableOf(payment) > 0

const states = {
  'at the provider': 'due',
  'by hand': 'by_hand',
  'by the merchant at the provider': 'expected',
} as const satisfies Record<Exclude<CreditWay, 'none'>, Refund['state']>

/** With money that is to go back: as much as the payment has left. Undefined if that is nothing. */
export const withRefund = (
  payment: PaymentItem,
  credit: number | null,
  wanted: Cents,
  way: keyof typeof states,
): Change | undefined => {
  const amount = Math.min(wanted, refundableOf(payment))
  if (amount === 0) return undefined
  const { uuid, requests } = payment
  const state = states[way]
  const request_id = state === 'due' ? requestIdOf(uuid, 'back', requests) : ''
  const refund: Refund = { credit, amount, state, request_id, refund_id: null, failed: 0 }
  return {
    refunds: [...payment.refunds, refund],
    ...(state === 'due' && { requests: requests + 1 }),
    // The three days of a credit's refund begin with its own first failure.
    ...(state === 'due' && credit !== null && openRefunds(payment).length === 0 && { failing_since: null }),
  }
}

const replaced = ({ refunds }: Refunding, before: Refund, after: Refund): Refund[] =>
  refunds.map(one => (one === before ? after : one))

/** The open refund that a request was about; undefined if another request has recorded its outcome. */
const requestedRefund = ({ refunds }: Refunding, { credit, request_id, state }: Refund): Refund | undefined =>
  refunds.find(one => one.credit === credit && one.request_id === request_id && one.state === state)

/** With the provider's answer to the request of an open refund; undefined if that changes nothing. */
export const withAnswer = (
  payment: PaymentItem,
  asked: Refund,
  { state, refundId }: RefundView,
): Change | undefined => {
  const refund = requestedRefund(payment, asked)
  if (!refund) return undefined
  const refund_id = refundId ?? refund.refund_id
  // An unused payment's refund is of what was there when it was requested.
  const { amount } = asked
  if (state === 'refunded') {
    const reported = Math.min(amountTakenOf(payment), payment.reported + amount)
    return { reported, refunds: replaced(payment, refund, { ...refund, amount, state: 'refunded', refund_id }) }
  }
  if (state === 'pending') {
    if (refund.state === 'pending') return undefined
    return { refunds: replaced(payment, refund, { ...refund, amount, state, refund_id }) }
  }
  // The same request id would bring the same refusal again.
  const { uuid, requests } = payment
  const failed = refund.failed + 1
  const isOver = failed >= maxFailed
  const again = { ...refund, request_id: requestIdOf(uuid, 'back', requests), refund_id: null, failed }
  return {
    refunds: replaced(payment, refund, { ...again, state: isOver ? 'review' : 'due' }),
    requests: requests + 1,
    reason: 'REFUND_FAILED',
  }
}

/** True if a refund is in review and may have been made all the same: the provider has not refused its last request. */
const isUnclear = ({ state, failed }: Refund): boolean => state === 'review' && failed < maxFailed

/** With all open refunds in review. */
export const withOpenInReview = (payment: PaymentItem): Refund[] => {
  const open = new Set(openRefunds(payment))
  return payment.refunds.map(one => (open.has(one) ? { ...one, state: 'review' } : one))
}

/**
 * With the merchant's decision about refunds that the provider refused, or else about those that the merchant announced and did
 * not make: to be requested, as far as money is left, or given back by hand.
 */
export const withDecidedRefunds = (payment: PaymentItem, way: GivesBack): Change => {
  const refused = refusedRefunds(payment)
  const waiting = refused.length > 0 ? refused : expectedRefunds(payment)
  let after: PaymentItem = { ...payment, refunds: payment.refunds.filter(one => !waiting.includes(one)) }
  for (const refund of waiting) {
    const { credit, amount } = refund
    const left = Math.min(amount, refundableOf(after))
    const isNew = way === 'by hand' || refund.state === 'expected'
    if (isNew) after = { ...after, ...withRefund(after, credit, amount, way) }
    else if (left > 0 || isUnclear(refund)) {
      // A request that may have had its effect is repeated under its id, with its amount.
      const again = { ...refund, amount: isUnclear(refund) ? amount : left, state: 'due', failed: 0 } as const
      after = { ...after, refunds: [...after.refunds, again] }
    }
  }
  return { refunds: after.refunds, requests: after.requests }
}

/**
 * With the refunds that an amount which the provider reports explains, all if `isAll`: those that the merchant announced, and
 * those that were refused, which the merchant made there.
 */
const matched = (refunds: readonly Refund[], reported: Cents, isAll: boolean): { refunds: Refund[]; rest: Cents } => {
  const isAwaited = (one: Refund) => one.state === 'expected' || (one.state === 'review' && (isAll || !isUnclear(one)))
  const exact = refunds.find(one => isAwaited(one) && one.amount === reported)
  let rest = reported
  const after = refunds.map(one => {
    const isMade = isAwaited(one) && (isAll || (exact ? one === exact : one.amount <= rest))
    if (!isMade) return one
    rest -= Math.min(one.amount, rest)
    return { ...one, state: 'refunded' as const }
  })
  return { refunds: after, rest }
}

/** The money that went back, as the provider says now; 0 if it does not say. */
const reportedIn = ({ state, refunded }: PaymentView, taken: Cents): Cents => {
  if (state === 'refunded') return refunded ?? taken
  return state === 'captured' ? (refunded ?? 0) : 0
}

/** Applies a provider's answer about money of a paid order: the merchant decides about what others gave back. */
export const reportedOfPaid = (payment: PaymentItem, view: PaymentView, isOrderCancelled: boolean): Next => {
  const taken = amountTakenOf(payment)
  const back = reportedIn(view, taken)
  const isAll = back >= taken
  // A refund that may have been made is counted when its request is answered.
  const reported = back - (isAll ? 0 : sumOf(payment.refunds.filter(isUnclear)))
  if (reported <= payment.reported) return { set: {}, todo: 'wait' }
  const news = reported - payment.reported
  // Of the money of a cancelled order, only what goes back beyond all that was taken is in question.
  const questionOf = (refunds: Refund[], rest: Cents): Cents =>
    isOrderCancelled ? Math.max(0, Math.min(rest, givenBackOf({ refunds, reported }) - taken)) : rest
  const together = matched(payment.refunds, payment.undecided + news, false)
  const isExplained = payment.undecided > 0 && together.rest === 0
  const { refunds, rest } = isExplained ? together : matched(payment.refunds, news, isAll)
  // A part that is explained is recorded first, as a step of its own.
  if (rest > 0 && rest < news) return { set: { reported: reported - rest, refunds }, todo: 'ask' }
  const before = isExplained ? payment.undecided : 0
  const undecided = payment.undecided - before + questionOf(refunds, rest)
  return {
    set: {
      ...{ reported, refunds, undecided },
      returned: payment.returned - before + rest,
      ...(payment.decided && { decided: null }),
    },
    todo: undecided > 0 ? 'review' : 'wait',
  }
}

/** Money that no order takes, all of which goes back. */
export const unused = (
  payment: PaymentItem,
  money: Partial<PaymentFields>,
  way: GivesBack = 'at the provider',
): Next => {
  const there = changed(payment, { ...money, refunds: [] })
  const entry = withRefund(there, null, Number.POSITIVE_INFINITY, way)
  return { set: { ...money, ...entry, status: 'unused' }, todo: way === 'by hand' ? 'wait' : 'refund' }
}

/** Applies a provider's answer about money that no order takes. */
export const reportedOfUnused = (payment: PaymentItem, view: PaymentView): Next => {
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
      if (!due || due.amount === left) return { set: { ...there, reported }, todo: 'refund' }
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

/** Money that others gave back, as the refund of a credit: made by hand, announced, refused, or without one. */
export const asRefundOf = (payment: PaymentItem, credit: { number: number; gross: Cents }): Partial<PaymentItem> => {
  const { undecided, refunds } = payment
  // A refund that may have been made is requested again with its amount.
  const isMade = (one: Refund) =>
    one.state === 'by_hand' || one.state === 'expected' || (one.state === 'review' && !isUnclear(one))
  const made = refunds.find(one => one.credit === credit.number && isMade(one))
  const isThere = refunds.some(one => one.credit === credit.number)
  if (made) {
    const back = Math.min(made.amount, undecided)
    const left = { ...made, amount: made.amount - back }
    const parts = [{ ...made, amount: back, state: 'refunded' as const }, ...(left.amount > 0 ? [left] : [])]
    return { refunds: refunds.flatMap(one => (one === made ? parts : [one])) }
  }
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
