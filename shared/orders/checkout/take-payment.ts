import type { Unpaid } from '../../payments/states.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { claimPayment, inspectAndCapture } from './capture.ts'
import { type SettledOrder, settlePayment } from './settle.ts'

export type TakeOptions = {
  actor: string
  /** Throws if the stored payment is not the expected payment. */
  check: (stored: PaymentItem | undefined) => PaymentItem
  /** True to capture an approved payment, given the payment before the claim; else the provider is only asked. */
  mayCapture: (before: PaymentItem) => boolean
  /** The only payer whose money is taken. */
  payerId?: string
  /** Milliseconds to wait for another request's outcome. */
  patience?: number
}

/** The payment could not be claimed (never opened, captured before, cancelled or in review), is settled now, or has no money. */
export type TakeResult =
  | { status: 'not claimable'; payment: PaymentItem }
  | { status: 'settled'; settled: SettledOrder }
  | { status: 'unpaid'; payment: PaymentItem; unpaid: Unpaid }

/**
 * The one way to the money of a payment: claims it, asks its provider, captures what the payer approved, and updates
 * payment, order and documents in one transaction. Releases the claim if there is no money. Throws payment_in_progress
 * while another request captures, the order's refusal, and what the provider throws.
 */
export const takePayment = async (
  merchant: MerchantId,
  uuid: string,
  { actor, check, mayCapture, payerId, patience }: TakeOptions,
): Promise<TakeResult> => {
  const claimed = await claimPayment(merchant, uuid, check, patience)
  if ('notClaimable' in claimed) return { status: 'not claimable', payment: claimed.notClaimable }
  const { payment, before } = claimed
  const result = await inspectAndCapture(merchant, claimed, { mayCapture: mayCapture(before), payerId })
  if ('unpaid' in result) return { status: 'unpaid', payment, unpaid: result.unpaid }
  return { status: 'settled', settled: await settlePayment(merchant, payment, result.paid, actor) }
}

/** The outcome of a payment; `unpayable`: it was not paid and cannot be any more. */
export type PaymentOutcome = 'paid' | 'pending' | 'review' | 'unpaid' | 'unpayable'

const outcomeBefore = ({ status }: PaymentItem): PaymentOutcome => {
  if (status === 'captured' || status === 'refunded_in_part') return 'paid'
  if (status === 'review') return 'review'
  return status === 'created' ? 'unpaid' : 'unpayable'
}

/**
 * Asks the provider for the outcome of a payment and records it; with `capture` also captures an approved payment. Throws
 * payment_in_progress while another request captures, and what the provider throws.
 */
export const resolvePayment = async (
  merchant: MerchantId,
  uuid: string,
  actor: string,
  { capture }: { capture: boolean },
): Promise<PaymentOutcome> => {
  const result = await takePayment(merchant, uuid, {
    actor,
    check: stored => {
      if (stored) return stored
      throw new Error(`there is no payment ${uuid}, though an order names it`)
    },
    // A declined payment is captured again only when the buyer comes back to finish.
    mayCapture: ({ status }) => capture && status !== 'declined',
  })
  switch (result.status) {
    case 'not claimable':
      return outcomeBefore(result.payment)
    case 'settled':
      return result.settled.payment.status === 'pending' ? 'pending' : 'paid'
    case 'unpaid': {
      const { status } = result.unpaid
      return status === 'review' || status === 'unpayable' ? status : 'unpaid'
    }
  }
}
