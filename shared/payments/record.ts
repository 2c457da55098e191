import type { Payment } from '../contract/records/order.ts'
import { equals } from '../platform/table/expressions.ts'
import { ConditionFailed } from '../platform/table/failures.ts'
import type { CreditRefund, PaymentItem, PaymentStatus } from '../platform/table/items.ts'
import { indexKey, key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, updateItem } from '../platform/table/table.ts'
import { type Action, update } from '../platform/table/transact.ts'
import { type Cents, formatMoney } from '../values/money.ts'
import { parseTimestamp, timestamp } from '../values/time.ts'
import type { PaymentView } from './provider.ts'

const minute = 60_000
const hour = 60 * minute

// After an order is cancelled, its provider may still complete a capture that was requested before; for so long.
const watchedAfterwards = 26 * hour

/**
 * The index key of a payment; `at` in epoch milliseconds. `look` (the stored word) is due for reconciliation then, `review`
 * waits for a decision since then.
 */
export const taskKey = (task: 'due' | 'review', at: number): string =>
  indexKey('payment', { task, since: timestamp(at) })

const between = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value))

/** The refunds of an order's credits that are not over. */
export const openRefunds = ({ refunds = [] }: Pick<PaymentItem, 'refunds'>): CreditRefund[] =>
  refunds.filter(({ state }) => state === 'due' || state === 'pending')

const refusedRefunds = ({ refunds = [] }: Pick<PaymentItem, 'refunds'>): CreditRefund[] =>
  refunds.filter(({ state }) => state === 'review')

/**
 * The next reconciliation of a payment in epoch milliseconds; the interval grows with its age. An expired claim is due,
 * so that a crash recovers by itself. Null when nothing is left to do.
 */
export const nextCheck = (
  { status, crstamp, lease, external_id, refunds }: PaymentItem,
  now: number,
): number | null => {
  const age = now - parseTimestamp(crstamp)
  switch (status) {
    case 'created':
    case 'open':
    case 'declined':
      // Providers let an approved payment be taken within three hours.
      return now + between(10 * minute, age, 2 * hour)
    case 'capturing':
      return Math.max(lease, now + minute)
    case 'pending':
    case 'refund_due':
    case 'refund_pending':
      return now + between(4 * minute, age, hour)
    case 'cancelled':
      // No payer can have seen a payment that never reached its provider.
      if (external_id === null) return null
      return age < watchedAfterwards ? now + between(10 * minute, age, 12 * hour) : null
    case 'captured':
    case 'refunded':
    case 'refunded_in_part':
      return openRefunds({ refunds: refunds ?? [] }).length > 0 ? now + between(4 * minute, age, hour) : null
    case 'review':
      return null
  }
}

type Reviewable = Pick<PaymentItem, 'status' | 'returned' | 'refunds'>

/** True if the provider refused to refund a credit. */
export const hasRefusedRefund = (payment: Pick<PaymentItem, 'refunds'>): boolean => refusedRefunds(payment).length > 0

/**
 * True if the operator has to decide: the money is unclear, was refunded at the provider by others after its order was paid, or
 * cannot be refunded.
 */
export const needsReview = (payment: Reviewable): boolean =>
  payment.status === 'review' || payment.returned === 'undecided' || hasRefusedRefund(payment)

/** True if a payment waits for the operator alone: refunds that are under way come first. */
export const isInReview = (payment: Reviewable): boolean => needsReview(payment) && openRefunds(payment).length === 0

export const taskKeyOf = (payment: PaymentItem, now = Date.now()): string | null => {
  if (isInReview(payment)) return taskKey('review', now)
  const next = nextCheck(payment, now)
  return next === null ? null : taskKey('due', next)
}

/** The status of a payment as it is shown: with the refunds of its order's credits. */
export const shownStatus = (payment: Reviewable): PaymentStatus => {
  const open = openRefunds(payment)
  if (open.some(({ state }) => state === 'due')) return 'refund_due'
  if (open.length > 0) return 'refund_pending'
  return hasRefusedRefund(payment) ? 'review' : payment.status
}

const maxFailing = 72 * hour

/** True if the provider has failed for three days: it will not recover by itself. */
export const hasFailedForLong = ({ failing_since }: Pick<PaymentItem, 'failing_since'>, now = Date.now()): boolean =>
  now - (failing_since ?? now) >= maxFailing

export const readPayment = (merchant: MerchantId, uuid: string): Promise<PaymentItem | undefined> =>
  getItem(key('payment', { merchant, uuid }))

/** Reads a payment that another record names. Throws if there is none. */
export const existingPayment = async (merchant: MerchantId, uuid: string): Promise<PaymentItem> => {
  const payment = await readPayment(merchant, uuid)
  if (!payment) throw new Error(`there is no payment ${uuid}`)
  return payment
}

/** The condition that no other request changed a payment since it was read: each change increments its version. */
export const ifUnchanged = ({ version }: Pick<PaymentItem, 'version'>) =>
  version === undefined ? ({ attribute: 'version', is: 'absent' } as const) : equals('version', version)

const changeOf = (
  merchant: MerchantId,
  read: PaymentItem,
  set: Partial<PaymentItem>,
  index = taskKeyOf({ ...read, ...set }),
) =>
  [
    key('payment', { merchant, uuid: read.uuid }),
    { set: { ...set, version: (read.version ?? 0) + 1 }, index },
    [ifUnchanged(read)],
  ] as const

/** The transaction's action that updates a payment and its index key, if it is unchanged since it was read. */
export const paymentAction = (...change: Parameters<typeof changeOf>): Action =>
  update('payment', ...changeOf(...change))

/** Updates a payment and its index key. Throws ConditionFailed if another request changed it since it was read. */
export const changePayment = (...change: Parameters<typeof changeOf>): Promise<PaymentItem> =>
  updateItem(...changeOf(...change))

/** The same; undefined if another request changed the payment. */
export const tryChangePayment = (...change: Parameters<typeof changeOf>): Promise<PaymentItem | undefined> =>
  changePayment(...change).catch(error => {
    if (error instanceof ConditionFailed) return undefined
    throw error
  })

export const amountTakenIn = ({ amount, currency }: PaymentView): PaymentItem['taken'] =>
  amount === null || currency === null ? null : { amount, currency }

export const amountTakenOf = ({ taken, amount }: Pick<PaymentItem, 'taken' | 'amount'>): Cents =>
  taken?.amount ?? amount

/** True if the provider no longer knows a capture that it once reported; never a reason to cancel. */
export const hasLostCapture = ({ capture_id }: Pick<PaymentItem, 'capture_id'>, { captureId }: PaymentView): boolean =>
  capture_id !== null && captureId === null

/** The fields of a payment that has not been opened at a provider. */
export const unopenedFields = {
  provider: null,
  account: null,
  external_id: null,
  target_url: null,
  payer_id: null,
  capture_id: null,
  taken: null,
  refunded: 0,
  refund_id: null,
  reason: null,
  refusals: 0,
  failed_refunds: 0,
  failing_since: null,
  lease: 0,
} as const satisfies Partial<PaymentItem>

export const paymentView = (payment: PaymentItem): Payment => {
  const { uuid, type, amount, currency, external_id, target_url } = payment
  const status = shownStatus(payment)
  return { uuid, type, status, amount: formatMoney(amount), currency, external_id, target_url }
}

const letters = { open: 'o', take: 't', back: 'b' } as const

/**
 * The idempotency key of a request to a provider, at most 38 characters (PayPal's limit). A provider repeats its first
 * answer to a repeated key, so after a definite refusal only another `attempt` is a new request.
 */
export const requestIdOf = (payment: string, verb: keyof typeof letters, attempt = 0): string =>
  `${payment.replaceAll('-', '')}-${letters[verb]}${attempt}`
