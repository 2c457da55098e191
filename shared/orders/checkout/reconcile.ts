import type { Problem } from '../../contract/errors.ts'
import { isProviderFailure, ProviderRefusal } from '../../payments/provider-failure.ts'
import {
  changePayment,
  existingPayment,
  hasFailedForLong,
  ifUnchanged,
  isInReview,
  nextCheck,
  taskKey,
  taskKeyOf,
} from '../../payments/record.ts'
import { isGoingBack } from '../../payments/refunds.ts'
import { nextPayment } from '../../payments/states.ts'
import { log } from '../../platform/log.ts'
import { isRace } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { updateItem } from '../../platform/table/table.ts'
import { parseTimestamp } from '../../values/time.ts'
import { readOrder } from '../store.ts'
import { cancelById } from './cancel.ts'
import { requestRefunds } from './refund.ts'
import { reconcileCaptured } from './returned.ts'
import { resolvePayment } from './take-payment.ts'

/** The result of a reconciliation: `left` is reconciled again later, `review` waits for the operator's decision. */
export type ReconcileResult = 'paid' | 'cancelled' | 'refunded' | 'review' | 'left'

/** `hours`: how long an order may wait for its payment. */
type ReconcileOptions = { actor: string; hours: number }

const hour = 3_600_000
// No payer has seen a payment that was not opened: only a failed request leaves such a payment.
const maxUnopenedHours = 0.2
// Longer than a function runs: a younger payment may be being opened.
const minUnopenedHours = 2 / 60

const ageOf = ({ crstamp }: PaymentItem): number => (Date.now() - parseTimestamp(crstamp)) / hour

const retryDelay = 10 * 60_000
const dailyDelay = 24 * hour
// After so long no provider takes money for a payment any more.
const maxWatchHours = 60 * 24

/** How a reconciliation ended: done, the provider failed, or another error interrupted it. */
type RunEnd = 'done' | 'provider failed' | 'interrupted'

/** The next check in epoch milliseconds, null if nothing is left to check. A failure does not end the watch of a payment. */
const dueAfter = (payment: PaymentItem, end: RunEnd): number | null => {
  const now = Date.now()
  const next = nextCheck(payment, now)
  if (end === 'done') return next
  if (next !== null) return Math.min(next, now + retryDelay)
  if (payment.status !== 'cancelled' || ageOf(payment) >= maxWatchHours) return null
  return now + (hasFailedForLong(payment, now) ? dailyDelay : retryDelay)
}

/** False for money of an order that is shipped or over, of which nobody asks any more whether it went back. */
const isWatched = async (merchant: MerchantId, payment: PaymentItem): Promise<boolean> => {
  if (payment.status !== 'captured' || isGoingBack(payment)) return true
  const { status } = (await readOrder(merchant, payment.order)).order.header
  return status !== 'in_delivery' && status !== 'closed' && status !== 'cancelled'
}

/** Schedules the next check, since a payment without a change would be due in every run. */
const schedule = async (merchant: MerchantId, { uuid, status }: PaymentItem, end: RunEnd): Promise<void> => {
  const present = await existingPayment(merchant, uuid)
  const failing_since = end === 'provider failed' ? (present.failing_since ?? Date.now()) : null
  const due = (await isWatched(merchant, present)) ? dueAfter(present, end) : null
  const index = isInReview(present) ? taskKeyOf(present) : due === null ? null : taskKey('due', due)
  // Cancelling has set the time of a look that may be the only one.
  const isNew = present.status === 'cancelled' && status !== 'cancelled'
  const change = { ...(end !== 'interrupted' && { set: { failing_since } }), ...(!isNew && { index }) }
  // The version stays, so that this does not refuse the write of another request.
  await updateItem(key('payment', { merchant, uuid }), change, [ifUnchanged(present)])
}

const expire = async (merchant: MerchantId, { order }: PaymentItem, actor: string): Promise<ReconcileResult> => {
  const expired = await cancelById(merchant, order, { event: 'expire', actor })
  // The event leaves an order that waits for a pending payment; here that payment has failed.
  const hasFailed = expired.order.header.status === 'need_payment'
  const ended = hasFailed ? await cancelById(merchant, order, { event: 'cancel', actor }) : expired
  return ended.order.header.status === 'cancelled' ? 'cancelled' : 'left'
}

/**
 * No order waits forever for a provider that refuses it or fails for days: without money the order expires, else the
 * payment goes to review. Throws `failure` while there is still time.
 */
const afterFailure = async (
  merchant: MerchantId,
  { uuid }: PaymentItem,
  { actor, hours }: ReconcileOptions,
  failure: Problem,
): Promise<ReconcileResult> => {
  const present = await existingPayment(merchant, uuid)
  const isRefusal = failure instanceof ProviderRefusal
  const isLong = hasFailedForLong(present)
  const reason = isRefusal ? failure.reason : 'PROVIDER_UNAVAILABLE'
  const next = nextPayment(present, { is: 'failing_for_long', reason })
  if ('refused' in next) throw failure
  if (next.todo === 'expire') {
    if (ageOf(present) >= hours && (isRefusal || isLong)) return expire(merchant, present, actor)
    throw failure
  }
  if (!isLong) throw failure
  await changePayment(merchant, present, next.set)
  return 'review'
}

const reconcileUnpaid = async (
  merchant: MerchantId,
  payment: PaymentItem,
  { actor, hours }: ReconcileOptions,
): Promise<ReconcileResult> => {
  const outcome = await resolvePayment(merchant, payment.uuid, actor, { capture: true }).catch(error => {
    if (isProviderFailure(error)) return error
    throw error
  })
  if (isProviderFailure(outcome)) return afterFailure(merchant, payment, { actor, hours }, outcome)
  if (outcome === 'paid' || outcome === 'review') return outcome
  if (outcome === 'unpayable') return expire(merchant, payment, actor)
  return outcome === 'unpaid' && ageOf(payment) >= hours ? expire(merchant, payment, actor) : 'left'
}

/** Refunds what is to go back, and then checks what others refunded of a paid order. */
const reconcileMoney = async (merchant: MerchantId, payment: PaymentItem, actor: string): Promise<ReconcileResult> => {
  // Before that, a refund of this service cannot be distinguished from a refund by others.
  const result = await requestRefunds(merchant, payment, actor)
  if (result !== 'over') return result
  return payment.status === 'captured' ? reconcileCaptured(merchant, payment.uuid, actor) : 'refunded'
}

const reconcile = (
  merchant: MerchantId,
  payment: PaymentItem,
  options: ReconcileOptions,
): Promise<ReconcileResult> | ReconcileResult => {
  switch (payment.status) {
    case 'created': {
      const isBroken = ageOf(payment) >= Math.max(minUnopenedHours, Math.min(options.hours, maxUnopenedHours))
      return isBroken ? expire(merchant, payment, options.actor) : 'left'
    }
    case 'open':
    case 'declined':
    case 'capturing':
    case 'pending':
      return reconcileUnpaid(merchant, payment, options)
    case 'cancelled':
    case 'unused':
    case 'captured':
      return reconcileMoney(merchant, payment, options.actor)
    case 'review':
      return 'review'
  }
}

/**
 * Reconciles one payment with its provider now: captures what was approved, refunds what its order did not take, and
 * expires an order that cannot be paid any more or waited for `hours`. Safe to repeat and to run concurrently. Throws what
 * the provider throws, and payment_in_progress while another request captures.
 */
export const reconcilePayment = async (
  merchant: MerchantId,
  uuid: string,
  { actor, hours = 24 }: { actor: string; hours?: number },
): Promise<ReconcileResult> => {
  const payment = await existingPayment(merchant, uuid)
  let end: RunEnd = 'interrupted'
  try {
    const result = await reconcile(merchant, payment, { actor, hours })
    end = 'done'
    return result
  } catch (error) {
    if (isProviderFailure(error)) end = 'provider failed'
    throw error
  } finally {
    await schedule(merchant, payment, end).catch(() => {})
  }
}

/** Reconciles a payment, as far as its provider answers in time; the sweep does the rest. */
export const reconcileSoon = async (
  merchant: MerchantId,
  payment: string,
  actor: string,
  milliseconds = 6000,
): Promise<void> => {
  const { promise: tooLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  const work = reconcilePayment(merchant, payment, { actor }).catch(error => {
    if (!isRace(error) && !isProviderFailure(error))
      log.error('a payment could not be reconciled', { merchant, payment, error })
  })
  await Promise.race([work, tooLate])
  clearTimeout(timer)
}
