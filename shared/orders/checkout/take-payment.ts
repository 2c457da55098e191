import { Problem } from '../../contract/errors.ts'
import type { Claim, Next, Unpaid } from '../../payments/events.ts'
import { type PaymentView, type Provider, requestIdOf } from '../../payments/provider.ts'
import { ProviderRefusal } from '../../payments/provider-failure.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { readPayment, tryChangePayment } from '../../payments/record.ts'
import { nextPayment } from '../../payments/states.ts'
import { poll } from '../../platform/table/failures.ts'
import type { CapturingPayment, PaymentItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { changeClaimed, type SettledOrder, settlePayment } from './settle.ts'

/** A payment that only this request may capture now; `before` is the payment before it was claimed. */
export type ClaimedPayment = { payment: CapturingPayment; before: PaymentItem }

export const paymentInProgress = () => new Problem('payment_in_progress', { headers: { 'retry-after': '2' } })

/**
 * Claims a payment for one capture. Returns it unclaimed if there is nothing to capture: never opened, captured, refunded,
 * cancelled or in review. `check` throws if the stored payment is not the expected payment. While another request holds the
 * claim, waits up to `patience` milliseconds for its outcome, then throws payment_in_progress.
 */
export const claimPayment = async (
  merchant: MerchantId,
  uuid: string,
  check: (stored: PaymentItem | undefined) => PaymentItem,
  patience = 0,
): Promise<ClaimedPayment | { notClaimable: PaymentItem }> => {
  const until = Date.now() + patience
  return poll(
    async () => {
      const before = check(await readPayment(merchant, uuid))
      const next = nextPayment(before, { is: 'claimed' })
      if ('refused' in next) return next.refused === 'busy' ? undefined : { notClaimable: before }
      const payment = await tryChangePayment(merchant, before, next.set)
      return payment && { payment: payment as CapturingPayment, before }
    },
    () => {
      if (Date.now() >= until) throw paymentInProgress()
      return 200 + Math.random() * 200
    },
  )
}

/** Calls the provider of a claimed payment; if that throws, releases the payment. */
const calling = async (
  merchant: MerchantId,
  payment: CapturingPayment,
  claim: Claim,
  call: (provider: Provider) => Promise<PaymentView>,
): Promise<PaymentView> => {
  try {
    return await call(await providerOfPayment(merchant, payment))
  } catch (error) {
    const event =
      error instanceof ProviderRefusal
        ? ({ is: 'refused', reason: error.reason, claim } as const)
        : ({ is: 'unanswered', claim } as const)
    await changeClaimed(merchant, payment, event)
    throw error
  }
}

/** The money arrived or is on its way: what settles the payment. Or why there is none. */
export type CaptureResult = { paid: Next['set'] } | { unpaid: Unpaid }

/**
 * Asks the provider for the state of a claimed payment and, if `mayCapture`, captures an approved payment. Asking first
 * prevents a second capture, a wrong amount and a payer other than `payerId`. Releases the claim if there is no money.
 * Throws what the provider throws.
 */
export const inspectAndCapture = async (
  merchant: MerchantId,
  { payment, before }: ClaimedPayment,
  options: Pick<Claim, 'mayCapture' | 'payerId'>,
): Promise<CaptureResult> => {
  const { uuid, external_id, refusals } = payment
  const ask = async (claim: Claim, call: (provider: Provider) => Promise<PaymentView>): Promise<CaptureResult> => {
    const view = await calling(merchant, payment, claim, call)
    const next = nextPayment(payment, { is: 'reported', view, claim })
    if ('refused' in next) throw new Error(`a claimed payment is ${payment.status}`)
    if (next.todo === 'settle') return { paid: next.set }
    if (next.todo === 'capture') {
      const requestId = requestIdOf(uuid, 'take', refusals)
      return ask({ ...claim, hasRequested: true }, provider => provider.capture(external_id, requestId))
    }
    await tryChangePayment(merchant, payment, next.set)
    return { unpaid: next.unpaid as Unpaid }
  }
  return ask({ ...options, before: before.status }, provider => provider.inspect(external_id))
}

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
  if (status === 'captured') return 'paid'
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
