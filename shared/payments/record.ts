import type { Payment } from '../contract/records/order.ts'
import { equals } from '../platform/table/expressions.ts'
import { ConditionFailed } from '../platform/table/failures.ts'
import type { Opened, PaymentFields, PaymentItem, Refund } from '../platform/table/items.ts'
import { indexKey, key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, updateItem } from '../platform/table/table.ts'
import { type Action, update } from '../platform/table/transact.ts'
import { type Cents, formatMoney } from '../values/money.ts'
import { parseTimestamp, timestamp } from '../values/time.ts'
import { requestIdOf } from './provider.ts'
import {
  amountTakenOf,
  changed,
  expectedRefunds,
  givenBackOf,
  isLeftUndecided,
  openRefunds,
  refundableOf,
  refusedRefunds,
} from './refunds.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

// After an order is cancelled, its provider may still complete a capture that was requested before; for so long.
const watchedAfterwards = 26 * hour

// Without a webhook nobody else reports refunds and chargebacks; payers have so long for most of them.
const watchedForReturns = 60 * day

/**
 * The index key of a payment; `at` in epoch milliseconds: `due` for reconciliation then, or in `review`, waiting for a decision
 * since then.
 */
export const taskKey = (task: 'due' | 'review', at: number): string =>
  indexKey('payment', { task, since: timestamp(at) })

const clamp = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value))

/**
 * The next reconciliation of a payment in epoch milliseconds; the interval grows with its age. An expired claim is due,
 * so that a crash recovers by itself. Null when nothing is left to do.
 */
export const nextCheck = (payment: PaymentItem, now: number): number | null => {
  const { crstamp } = payment
  const age = now - parseTimestamp(crstamp)
  if (openRefunds(payment).length > 0) return now + clamp(4 * minute, age, hour)
  switch (payment.status) {
    case 'created':
    case 'open':
    case 'declined':
      // Providers let an approved payment be taken within three hours.
      return now + clamp(10 * minute, age, 2 * hour)
    case 'capturing':
      return Math.max(payment.lease, now + minute)
    case 'pending':
      return now + clamp(4 * minute, age, hour)
    case 'cancelled':
      // No payer can have seen a payment that never reached its provider.
      if (payment.external_id === null) return null
      return age < watchedAfterwards ? now + clamp(10 * minute, age, 12 * hour) : null
    case 'captured':
      if (expectedRefunds(payment).length > 0) return now + day
      return age < watchedForReturns && refundableOf(payment) > 0 ? now + day : null
    case 'unused':
    case 'review':
      return null
  }
}

/**
 * True if the merchant has to decide: the money is unclear, was refunded at the provider by others after its order was paid,
 * cannot be refunded, or was left by a credit of the whole order.
 */
export const needsReview = (payment: PaymentItem): boolean =>
  payment.status === 'review' || payment.undecided > 0 || isLeftUndecided(payment) || refusedRefunds(payment).length > 0

/** True if a payment waits for the merchant alone: refunds that are under way come first. */
export const isInReview = (payment: PaymentItem): boolean => needsReview(payment) && openRefunds(payment).length === 0

export const taskKeyOf = (payment: PaymentItem, now = Date.now()): string | null => {
  if (isInReview(payment)) return taskKey('review', now)
  const next = nextCheck(payment, now)
  return next === null ? null : taskKey('due', next)
}

/** The status of a payment as it is shown: with the money that goes back. */
export const shownStatus = (payment: PaymentItem): string => {
  const open = openRefunds(payment)
  if (open.some(({ state }) => state === 'due')) return 'refund_due'
  if (open.length > 0) return 'refund_pending'
  if (refusedRefunds(payment).length > 0) return 'review'
  if (payment.status === 'unused') return 'refunded'
  if (payment.status !== 'captured') return payment.status
  const back = givenBackOf(payment)
  if (back >= amountTakenOf(payment)) return 'refunded'
  return back > 0 ? 'refunded_in_part' : payment.status
}

const maxFailing = 72 * hour

/** True if the provider has failed for three days: it will not recover by itself. */
export const hasFailedForLong = ({ failing_since }: Pick<PaymentItem, 'failing_since'>, now = Date.now()): boolean =>
  now - (failing_since ?? now) >= maxFailing

/** A payment as it was stored before all money went back in entries. */
export type FormerPayment = Omit<PaymentFields, 'refunds' | 'requests' | 'reported' | 'returned' | 'undecided'> & {
  [name in keyof Opened]: Opened[name] | null
} & {
  status: PaymentItem['status'] | 'refund_due' | 'refund_pending' | 'refunded' | 'refunded_in_part'
  /** The money that went back in all, also by hand. */
  refunded: Cents
  /** The refund of an unused payment that is on its way, and how many were refused. */
  refund_id: string | null
  failed_refunds: number
  lease?: number
  refunds?: Refund[]
  returned?: 'undecided' | 'decided'
}

/** The refund of money that no order took; undefined where no such money goes back. */
const unusedRefund = ({ status, uuid, taken, amount, reason, ...former }: FormerPayment): Refund | undefined => {
  const { refund_id, failed_refunds: failed, refunds = [] } = former
  const wasRefused = status === 'review' && (reason === 'REFUND_FAILED' || reason === 'REFUND_REFUSED')
  const isOver = status === 'refunded' && refunds.length === 0 && former.returned === undefined
  const refund = { credit: null, amount: taken?.amount ?? amount, refund_id, failed }
  const request_id = requestIdOf(uuid, 'back', failed)
  if (isOver) return { ...refund, request_id, state: 'refunded' }
  if (status === 'refund_due') return { ...refund, request_id, state: 'due' }
  if (status === 'refund_pending') return { ...refund, request_id, state: refund_id ? 'pending' : 'due' }
  return wasRefused ? { ...refund, request_id, state: 'review' } : undefined
}

const presentStatus = (status: FormerPayment['status']): PaymentItem['status'] => {
  if (status === 'refund_due' || status === 'refund_pending') return 'unused'
  return status === 'refunded' || status === 'refunded_in_part' ? 'captured' : status
}

/** A stored payment in the present form. */
export const paymentOf = (stored: PaymentItem | FormerPayment): PaymentItem => {
  if ('requests' in stored) return stored
  const { refunded, refund_id, failed_refunds, returned, status, refunds = [], ...kept } = stored
  const unused = unusedRefund(stored)
  const byHand = refunds.reduce((sum, { state, amount }) => (state === 'by_hand' ? sum + amount : sum), 0)
  const made = refunds.reduce((sum, { state, amount }) => (state === 'refunded' ? sum + amount : sum), 0)
  const reported = refunded - byHand
  const byOthers = returned ? Math.max(0, reported - made) : 0
  // Which of its statuses it has, the types do not know.
  return {
    ...kept,
    status: unused ? 'unused' : presentStatus(status),
    refunds: unused ? [unused] : refunds,
    requests: unused ? failed_refunds + 1 : 0,
    reported: unused?.state === 'refunded' ? unused.amount : reported,
    returned: byOthers,
    undecided: returned === 'undecided' ? byOthers : 0,
    ...(returned === 'decided' && { decided: 'accept' }),
  } as PaymentItem
}

export const readPayment = async (merchant: MerchantId, uuid: string): Promise<PaymentItem | undefined> => {
  const stored = await getItem(key('payment', { merchant, uuid }))
  return stored && paymentOf(stored)
}

/** Reads a payment that another record names. Throws if there is none. */
export const existingPayment = async (merchant: MerchantId, uuid: string): Promise<PaymentItem> => {
  const payment = await readPayment(merchant, uuid)
  if (!payment) throw new Error(`there is no payment ${uuid}`)
  return payment
}

/** The condition that no other request changed a payment since it was read: each change increments its version. */
export const ifUnchanged = ({ version }: Pick<PaymentItem, 'version'>) =>
  version === undefined ? ({ attribute: 'version', is: 'absent' } as const) : equals('version', version)

/** The fields that a payment of the former form has only after it is read: the first write stores them. */
const moneyOf = ({ status, refunds, requests, reported, returned, undecided, decided }: PaymentItem) => ({
  ...{ status, refunds, requests, reported, returned, undecided },
  ...(decided !== undefined && { decided }),
})

const changeOf = (
  merchant: MerchantId,
  read: PaymentItem,
  set: Partial<PaymentItem>,
  index = taskKeyOf(changed(read, set)),
) =>
  [
    key('payment', { merchant, uuid: read.uuid }),
    { set: { ...moneyOf(read), ...set, version: (read.version ?? 0) + 1 } as Partial<PaymentItem>, index },
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

/** The fields of a payment that has not been opened at a provider. */
export const unopenedFields = {
  provider: null,
  account: null,
  external_id: null,
  target_url: null,
  payer_id: null,
  capture_id: null,
  taken: null,
  refunds: [],
  requests: 0,
  reported: 0,
  returned: 0,
  undecided: 0,
  reason: null,
  refusals: 0,
  failing_since: null,
} satisfies Partial<PaymentItem>

export const paymentView = (payment: PaymentItem): Payment => {
  const { uuid, type, amount, currency, external_id, target_url } = payment
  const status = shownStatus(payment)
  return { uuid, type, status, amount: formatMoney(amount), currency, external_id, target_url }
}
