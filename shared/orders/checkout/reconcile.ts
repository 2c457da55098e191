import type { Problem } from '../../contract/errors.ts'
import { isProviderFailure, ProviderRefusal } from '../../payments/provider-failure.ts'
import {
  changePayment,
  hasFailedForLong,
  ifUnchanged,
  needsReview,
  nextCheck,
  taskKey,
  taskKeyOf,
} from '../../payments/record.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, updateItem } from '../../platform/table/table.ts'
import { parseTimestamp } from '../../values/time.ts'
import { cancelById } from './cancel.ts'
import { refundUnusedPayment } from './refund.ts'
import { reconcileCaptured } from './returned.ts'
import { resolvePayment } from './settle.ts'

/** What looking after a payment came to; `left` is looked after again, `review` waits for a person. */
export type ReconcileResult = 'paid' | 'cancelled' | 'refunded' | 'review' | 'left'

/** Who looks, and how many hours an order may wait for its payment. */
type Looking = { actor: string; hours: number }

const hour = 3_600_000
// The payer has never been sent there: nothing but a broken request can have left it so.
const unopenedHours = 0.2
// Longer than a function runs: a younger payment may be opened at this moment.
const openingHours = 2 / 60

const ageOf = ({ crstamp }: PaymentItem): number => (Date.now() - parseTimestamp(crstamp)) / hour

// A provider that failed may be well again soon.
const afterFailure = 10 * 60_000

/** How a look ended: well, because the provider could not serve, or because something else came in between. */
type LookEnd = 'well' | 'failing' | 'disturbed'

/** When the next look is due; a watch does not end with a look that failed. Null when nothing is left to be seen. */
const dueAfter = (payment: PaymentItem, end: LookEnd): number | null => {
  const now = Date.now()
  const next = nextCheck(payment, now)
  if (end === 'well') return next
  const isWatched = payment.status === 'cancelled' && !hasFailedForLong(payment, now)
  return next === null && !isWatched ? null : Math.min(next ?? Number.POSITIVE_INFINITY, now + afterFailure)
}

/** The next look is due later; without this a payment that nothing changes would be looked at in every run. */
const putOff = async (merchant: MerchantId, { uuid }: PaymentItem, end: LookEnd): Promise<void> => {
  const place = key('payment', { merchant, uuid })
  const present = await getItem(place)
  if (!present) return
  const failing_since = end === 'failing' ? (present.failing_since ?? Date.now()) : null
  const due = dueAfter(present, end)
  const index = needsReview(present) ? taskKeyOf(present) : due === null ? null : taskKey('look', due)
  // Its version stays: a look that is put off is no change to anybody who is at work on the payment.
  await updateItem(place, { ...(end !== 'disturbed' && { set: { failing_since } }), index }, [ifUnchanged(present)])
}

const end = async (merchant: MerchantId, { order }: PaymentItem, actor: string): Promise<ReconcileResult> => {
  const expired = await cancelById(merchant, order, { event: 'expire', actor })
  // It waited for a payment that came to nothing.
  const hasFailed = expired.order.header.status === 'need_payment'
  const ended = hasFailed ? await cancelById(merchant, order, { event: 'cancel', actor }) : expired
  return ended.order.header.status === 'cancelled' ? 'cancelled' : 'left'
}

/**
 * No order waits for ever for a provider that refuses it, or does not serve for days: without money it ends, of anything
 * else a person decides.
 */
const lookAtFailing = async (
  merchant: MerchantId,
  { uuid }: PaymentItem,
  { actor, hours }: Looking,
  failure: Problem,
): Promise<ReconcileResult> => {
  const present = await getItem(key('payment', { merchant, uuid }))
  const isRefusal = failure instanceof ProviderRefusal
  const isUnpaid = present?.status === 'open' || present?.status === 'declined'
  if (isUnpaid && ageOf(present) >= hours && (isRefusal || hasFailedForLong(present)))
    return end(merchant, present, actor)
  const isUnclear = present?.status === 'pending' || (present?.status === 'capturing' && present.lease <= Date.now())
  if (!isUnclear || !hasFailedForLong(present)) throw failure
  const reason = isRefusal ? failure.reason : 'PROVIDER_UNAVAILABLE'
  await changePayment(merchant, present, { status: 'review', reason, lease: 0 })
  return 'review'
}

const lookAtUnpaid = async (
  merchant: MerchantId,
  payment: PaymentItem,
  { actor, hours }: Looking,
): Promise<ReconcileResult> => {
  const resolved = await resolvePayment(merchant, payment.uuid, actor, { capture: true }).catch(error => {
    if (isProviderFailure(error)) return error
    throw error
  })
  if (isProviderFailure(resolved)) return lookAtFailing(merchant, payment, { actor, hours }, resolved)
  if (resolved === 'paid' || resolved === 'review') return resolved
  if (resolved === 'over') return end(merchant, payment, actor)
  return resolved === 'unpaid' && ageOf(payment) >= hours ? end(merchant, payment, actor) : 'left'
}

const lookAfter = async (merchant: MerchantId, payment: PaymentItem, looking: Looking): Promise<ReconcileResult> => {
  switch (payment.status) {
    case 'created': {
      const isBroken = ageOf(payment) >= Math.max(openingHours, Math.min(looking.hours, unopenedHours))
      return isBroken ? end(merchant, payment, looking.actor) : 'left'
    }
    case 'open':
    case 'declined':
    case 'capturing':
    case 'pending':
      return lookAtUnpaid(merchant, payment, looking)
    case 'cancelled':
    case 'refund_due':
    case 'refund_pending':
      return refundUnusedPayment(merchant, payment)
    case 'captured':
    case 'refunded':
    case 'refunded_in_part':
      return reconcileCaptured(merchant, payment.uuid, looking.actor)
    case 'review':
      return 'review'
  }
}

/**
 * Looks after one payment now: asks the provider how it stands, takes what was approved, gives back what its order did
 * not take, ends an order that cannot be paid any more or waited too long. Safe to repeat, and beside anybody else.
 * Throws what the provider throws, and payment_in_progress while somebody is capturing.
 */
export const reconcilePayment = async (
  merchant: MerchantId,
  uuid: string,
  { actor, hours = 24 }: { actor: string; hours?: number },
): Promise<ReconcileResult> => {
  const payment = await getItem(key('payment', { merchant, uuid }))
  if (!payment) throw new Error(`there is no payment ${uuid}`)
  let end: LookEnd = 'disturbed'
  try {
    const outcome = await lookAfter(merchant, payment, { actor, hours })
    end = 'well'
    return outcome
  } catch (error) {
    if (isProviderFailure(error)) end = 'failing'
    throw error
  } finally {
    await putOff(merchant, payment, end).catch(() => {})
  }
}
