import type { Payment } from '../contract/records/order.ts'
import { equals } from '../platform/table/expressions.ts'
import { ConditionFailed } from '../platform/table/failures.ts'
import type { PaymentItem } from '../platform/table/items.ts'
import { indexKey, key, type MerchantId } from '../platform/table/keys.ts'
import { updateItem } from '../platform/table/table.ts'
import { type Action, update } from '../platform/table/transact.ts'
import { type Cents, formatMoney } from '../values/money.ts'
import { parseTimestamp, timestamp } from '../values/time.ts'
import type { PaymentView } from './provider.ts'

const minute = 60_000
const hour = 60 * minute

/** A provider may still take money that was asked for before an order was cancelled; after this nothing can arrive. */
const watchedAfterwards = 26 * hour

/** The place of a payment that is to be looked after at a moment, in milliseconds, or that waits for a person. */
export const taskKey = (task: 'look' | 'review', at: number): string =>
  indexKey('payment', { task, since: timestamp(at) })

const between = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value))

/**
 * When a payment is to be looked after next, in milliseconds: soon while it is young, more and more rarely later. A
 * claim is looked at when its time is over, so that a crash heals by itself. Null when there is nothing left to do.
 */
export const nextCheck = ({ status, crstamp, lease, external_id }: PaymentItem, now: number): number | null => {
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
      // What never reached its provider was never shown to a payer.
      if (external_id === null) return null
      return age < watchedAfterwards ? now + between(10 * minute, age, 12 * hour) : null
    case 'captured':
    case 'refunded':
    case 'refunded_in_part':
    case 'review':
      return null
  }
}

/** Whether a person has to decide: what became of the money is not clear, or it went back after its order was paid. */
export const needsReview = ({ status, returned }: Pick<PaymentItem, 'status' | 'returned'>): boolean =>
  status === 'review' || returned === 'undecided'

/** A payment's place in the table's index: among those to be looked after, or those that want a person. */
export const taskKeyOf = (payment: PaymentItem, now = Date.now()): string | null => {
  if (needsReview(payment)) return taskKey('review', now)
  const next = nextCheck(payment, now)
  return next === null ? null : taskKey('look', next)
}

// A provider that cannot serve a payment for so long will not do it by itself.
const patience = 72 * hour

/** Whether its provider could not serve a payment for three days: then a person has to. */
export const hasFailedForLong = ({ failing_since }: Pick<PaymentItem, 'failing_since'>, now = Date.now()): boolean =>
  // Payments of an earlier release lack it.
  now - (failing_since ?? now) >= patience

/** Holds while nobody changed a payment since it was read: each change counts its version up. */
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

/** The action that changes a payment as it was read, and its place in the table's index. */
export const paymentAction = (...change: Parameters<typeof changeOf>): Action =>
  update('payment', ...changeOf(...change))

/** Changes a payment as it was read, and its place in the table's index. Throws ConditionFailed when somebody else did. */
export const changePayment = (...change: Parameters<typeof changeOf>): Promise<PaymentItem> =>
  updateItem(...changeOf(...change))

/** The same; undefined when somebody else changed the payment: then their change counts. */
export const tryChangePayment = (...change: Parameters<typeof changeOf>): Promise<PaymentItem | undefined> =>
  changePayment(...change).catch(error => {
    if (error instanceof ConditionFailed) return undefined
    throw error
  })

/** What the provider took, as it says; null when it does not. */
export const amountTakenIn = ({ amount, currency }: PaymentView): PaymentItem['taken'] =>
  amount === null || currency === null ? null : { amount, currency }

/** How much was taken, as far as that is known. */
export const amountTakenOf = ({ taken, amount }: Pick<PaymentItem, 'taken' | 'amount'>): Cents =>
  taken?.amount ?? amount

/** Whether a provider knows nothing of money that it said it had: no payment comes to nothing by that. */
export const hasLostCapture = ({ capture_id }: Pick<PaymentItem, 'capture_id'>, { captureId }: PaymentView): boolean =>
  capture_id !== null && captureId === null

/** What is to be known of a payment only after a provider was asked. */
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

/** A payment as it is shown. */
export const paymentView = ({
  uuid,
  type,
  status,
  amount,
  currency,
  external_id,
  target_url,
}: PaymentItem): Payment => ({ uuid, type, status, amount: formatMoney(amount), currency, external_id, target_url })

const letters = { open: 'o', take: 't', back: 'b' } as const

/**
 * The id under which a provider knows a request again; PayPal's guides allow 38 characters. A provider answers a
 * repeated id with its first answer, so that after a definite refusal only another `attempt` asks anew.
 */
export const requestIdOf = (payment: string, verb: keyof typeof letters, attempt = 0): string =>
  `${payment.replaceAll('-', '')}-${letters[verb]}${attempt}`
