import { Problem } from '../../contract/errors.ts'
import { amountTakenIn, paymentAction, tryChangePayment } from '../../payments/record.ts'
import { untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem, PaymentStatus } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { transact } from '../../platform/table/transact.ts'
import { formatMoney } from '../../values/money.ts'
import { timestamp } from '../../values/time.ts'
import { applyEvent } from '../documents.ts'
import { withNumbers } from '../numbering/numbers.ts'
import type { OrderRecord } from '../record.ts'
import type { OrderEvent } from '../states.ts'
import { changeActions, loadOrder, type StoredOrder } from '../store.ts'
import {
  type CaptureFailure,
  type CaptureSuccess,
  captureClaimed,
  claimPayment,
  isCaptured,
  releasePayment,
} from './capture.ts'

/** What a settled payment did to its order. */
export type SettledOrder = StoredOrder & { payment: PaymentItem }

/** Money that arrived, as it stands under an order's documents. */
const paymentDocument = ({ uuid, type, amount, taken, external_id, payer_id }: PaymentItem, now: string) => ({
  uuid,
  payment_type: type,
  amount: formatMoney(taken?.amount ?? amount),
  currency: taken?.currency ?? 'EUR',
  external_id,
  payer_id,
  crstamp: now,
})

/** Money that its order cannot take is kept in mind until it is given back. */
const markRefund = async (merchant: MerchantId, before: PaymentItem, after: PaymentItem): Promise<void> => {
  const { capture_id, payer_id, taken, lease } = after
  // Somebody who took the claim over sees the same money, and the same order.
  await tryChangePayment(merchant, before, { status: 'refund_due', capture_id, payer_id, taken, lease })
}

const events = {
  captured: 'payment_completed',
  refunded_in_part: 'payment_completed',
  pending: 'payment_pending',
} as const satisfies Partial<Record<PaymentStatus, OrderEvent>>

/** An order as a payment leaves it, some of whose money had gone back before the order was paid. */
const withReturned = (order: OrderRecord, { returned }: PaymentItem, at: string, actor: string): OrderRecord =>
  returned ? { ...order, history: [...order.history, { at, event: 'payment_returned', actor }] } : order

/**
 * Writes that a payment's money is there or on its way: payment, order and documents in one transaction, under the
 * version the payment was read with. Throws the order's refusal after marking the money for refund when the
 * order cannot take it any more.
 */
export const recordPayment = (
  merchant: MerchantId,
  before: PaymentItem,
  after: PaymentItem & { status: keyof typeof events },
  actor: string,
): Promise<SettledOrder> =>
  withNumbers({
    attempt: async () => {
      const loaded = await untilShown(() => loadOrder(merchant, before.order))
      const now = timestamp(Date.now())
      const effect = applyEvent(loaded.order, loaded.numbers, events[after.status], {
        now,
        actor,
        ...(after.status !== 'pending' && { payment: paymentDocument(after, now) }),
      })
      if ('refused' in effect) {
        await markRefund(merchant, before, after)
        throw new Problem(effect.refused === 'not_in_this_status' ? 'order_not_cancellable' : effect.refused)
      }
      const isChanged = 'order' in effect
      const order = isChanged ? withReturned(effect.order, after, now, actor) : loaded.order
      const changes = isChanged ? changeActions(merchant, loaded, { ...effect, order }) : []
      await transact([paymentAction(merchant, before, after), ...changes])
      return { order, firstPart: loaded.firstPart, payment: after }
    },
    // The payment is ours by its version; only the order or the numbers can have moved.
    again: error => !error.failed('payment'),
  })

/** Writes what the provider did with a claimed payment, as recordPayment does; gives the claim back if that fails. */
export const settlePayment = async (
  merchant: MerchantId,
  payment: PaymentItem,
  { status, view }: CaptureSuccess,
  actor: string,
): Promise<SettledOrder> => {
  const { captureId, payerId, refunded, reason } = view
  const hasGone = status === 'captured' && refunded !== null && refunded > 0
  const after = {
    ...payment,
    status: hasGone ? ('refunded_in_part' as const) : status,
    ...(hasGone && { returned: 'undecided' as const }),
    reason,
    capture_id: captureId,
    payer_id: payerId,
    taken: amountTakenIn(view),
    refunded: refunded ?? 0,
    lease: 0,
  }
  try {
    return await recordPayment(merchant, payment, after, actor)
  } catch (error) {
    // The money is there, so the next try must not wait for the claim to run out.
    if (!(error instanceof Problem)) await releasePayment(merchant, payment, { status: 'capturing' }).catch(() => {})
    throw error
  }
}

/** A request for the money of a payment. */
export type TakeOptions = {
  actor: string
  /** Throws when the stored payment is not the one that is meant. */
  check: (stored: PaymentItem | undefined) => PaymentItem
  /** Whether approved money is taken, of a payment as it was before the claim; otherwise the provider is only asked. */
  takes: (before: PaymentItem) => boolean
  /** The only payer whose money is taken. */
  payerId?: string
  /** How long another request's outcome is waited for, in milliseconds. */
  patience?: number
}

/** A payment that was settled before, that is paid now, or that has no money. */
export type TakeResult =
  | { was: 'settled'; payment: PaymentItem }
  | { was: CaptureSuccess['status']; settled: SettledOrder }
  | { was: 'unpaid'; payment: PaymentItem; found: CaptureFailure }

/**
 * The way to the money: claims a payment, asks its provider, takes what the payer approved, and moves payment, order and
 * documents in one transaction. Without money the claim is given back. Throws payment_in_progress while another request
 * captures, payment_mismatch for another payer, why the order cannot take the money, and what the provider throws.
 */
export const takePayment = async (
  merchant: MerchantId,
  uuid: string,
  { actor, check, takes, payerId, patience }: TakeOptions,
): Promise<TakeResult> => {
  const claimed = await claimPayment(merchant, uuid, check, patience)
  if ('settled' in claimed) return { was: 'settled', payment: claimed.settled }
  const { payment, before } = claimed
  const found = await captureClaimed(merchant, claimed, { capture: takes(before), payerId })
  if (!isCaptured(found)) return { was: 'unpaid', payment, found }
  return { was: found.status, settled: await settlePayment(merchant, payment, found, actor) }
}

/** What became of a payment; `over`: it was not paid and cannot be any more. */
export type PaymentOutcome = 'paid' | 'pending' | 'review' | 'unpaid' | 'over'

const settledAs = ({ status }: PaymentItem): PaymentOutcome => {
  if (status === 'captured' || status === 'refunded_in_part') return 'paid'
  if (status === 'review') return 'review'
  return status === 'created' ? 'unpaid' : 'over'
}

/**
 * Asks the provider what became of a payment and writes it down; with `capture` takes money that the payer approved.
 * Throws payment_in_progress while somebody is capturing, and what the provider throws.
 */
export const resolvePayment = async (
  merchant: MerchantId,
  uuid: string,
  actor: string,
  { capture }: { capture: boolean },
): Promise<PaymentOutcome> => {
  const taken = await takePayment(merchant, uuid, {
    actor,
    check: stored => {
      if (stored) return stored
      throw new Error(`there is no payment ${uuid}, though an order names it`)
    },
    // What was declined is tried again only when the buyer comes back to finish.
    takes: ({ status }) => capture && status !== 'declined',
  })
  switch (taken.was) {
    case 'settled':
      return settledAs(taken.payment)
    case 'captured':
      return 'paid'
    case 'pending':
      return 'pending'
    case 'unpaid':
      return taken.found.status === 'review' || taken.found.status === 'over' ? taken.found.status : 'unpaid'
  }
}
