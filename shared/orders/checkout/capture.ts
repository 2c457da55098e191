import { Problem } from '../../contract/errors.ts'
import type { PaymentView, Provider } from '../../payments/provider.ts'
import { ProviderRefusal } from '../../payments/provider-failure.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { amountTakenIn, hasLostCapture, requestIdOf, tryChangePayment } from '../../payments/record.ts'
import { poll } from '../../platform/table/failures.ts'
import type { PaymentItem, PaymentStatus } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'

/** A payment that only this request may capture now; `before` is the payment before it was claimed. */
export type ClaimedPayment = { payment: PaymentItem; before: PaymentItem }

// Longer than any function runs, so that no request still works on a payment whose claim has expired.
const leaseMs = 60_000

const claimable: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>(['open', 'pending', 'declined', 'capturing'])

export const paymentInProgress = () => new Problem('payment_in_progress', { headers: { 'retry-after': '2' } })

/**
 * Claims a payment for one capture. Returns it unclaimed if there is nothing to capture: never opened, captured, refunded,
 * cancelled or in review. `check` throws if the
 * stored payment is not the expected payment. While another request holds the claim, waits up to `patience`
 * milliseconds for its outcome, then throws payment_in_progress.
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
      const before = check(await getItem(key('payment', { merchant, uuid })))
      if (!claimable.has(before.status)) return { notClaimable: before }
      const isClaimed = before.status === 'capturing' && before.lease > Date.now()
      const claim = { status: 'capturing', lease: Date.now() + leaseMs } as const
      const payment = isClaimed ? undefined : await tryChangePayment(merchant, before, claim)
      return payment && { payment, before }
    },
    () => {
      if (Date.now() >= until) throw paymentInProgress()
      return 200 + Math.random() * 200
    },
  )
}

type Released = Partial<Pick<PaymentItem, 'capture_id' | 'payer_id' | 'reason' | 'refusals' | 'taken'>> & {
  status: 'open' | 'declined' | 'capturing' | 'review' | 'pending'
}

/**
 * Releases the claim on a payment, unless another request has taken it over. With the status `capturing` the outcome stays
 * unknown, and the next request may claim the payment immediately.
 */
export const releasePayment = async (merchant: MerchantId, payment: PaymentItem, set: Released): Promise<void> => {
  await tryChangePayment(merchant, payment, { ...set, lease: 0 })
}

/** The money arrived, or is on its way (`pending`). */
export type CaptureSuccess = { status: 'captured' | 'pending'; view: PaymentView }

/** Why there is no money; after `unpayable` there cannot be any. */
export type CaptureFailure =
  | { status: 'open' | 'approved' | 'declined' | 'mismatch' | 'unpayable'; reason: string | null }
  | ({ status: 'review'; reason: string } & Pick<PaymentItem, 'taken' | 'capture_id' | 'payer_id'>)

export type CaptureResult = CaptureSuccess | CaptureFailure

/** True if the money arrived or is on its way. */
export const hasMoney = (result: CaptureResult): result is CaptureSuccess => 'view' in result

const isRightAmount = ({ amount, currency, customId }: PaymentView, payment: PaymentItem): boolean =>
  amount === payment.amount && currency === payment.currency && customId === payment.uuid

/** The meaning of a provider's answer for a payment. */
const resultOf = (view: PaymentView, { payment, before }: ClaimedPayment): CaptureResult => {
  const { state, reason } = view
  // A capture that was requested without an answer may have taken money, too.
  if (hasLostCapture(payment, view) || (state === 'missing' && before.status === 'capturing')) {
    const { taken, capture_id, payer_id } = payment
    return { status: 'review', reason: 'UNKNOWN_TO_PROVIDER', taken, capture_id, payer_id }
  }
  switch (state) {
    case 'captured':
    case 'pending':
      if (isRightAmount(view, payment)) return { status: state, view }
      return {
        status: 'review',
        reason: 'AMOUNT_MISMATCH',
        taken: amountTakenIn(view),
        capture_id: view.captureId,
        payer_id: view.payerId,
      }
    case 'approved':
      return { status: isRightAmount(view, payment) ? state : 'mismatch', reason }
    // Stryker disable next-line ConditionalExpression: The next case reads the same for a payment of which nothing was
    // taken, and of an open one nothing was.
    case 'open':
      return { status: state, reason }
    case 'declined':
      // A capture that failed later cannot be repeated.
      return { status: view.captureId ? 'unpayable' : state, reason }
    case 'missing':
      return { status: 'unpayable', reason }
    case 'cancelled':
    case 'refunded':
      return { status: 'unpayable', reason: reason ?? state.toUpperCase() }
  }
}

/** How a payment without money is released; `wasRequested` if a capture was requested. */
const releasedAs = ({ before, payment }: ClaimedPayment, failure: CaptureFailure, wasRequested: boolean): Released => {
  const refusals = payment.refusals + (wasRequested ? 1 : 0)
  switch (failure.status) {
    case 'review':
      return failure
    case 'approved':
      // Declined money is requested again only when the buyer comes back.
      return { status: before.status === 'declined' ? 'declined' : 'open' }
    case 'declined':
    case 'unpayable':
      return { status: 'declined', reason: failure.reason, refusals }
    case 'open':
    case 'mismatch':
      return { status: 'open', reason: failure.reason, refusals }
  }
}

/** Calls the provider of a claimed payment; if that throws, releases the payment with `failed`. */
const calling = async (
  merchant: MerchantId,
  { payment }: ClaimedPayment,
  call: (provider: Provider) => Promise<PaymentView>,
  failed: (error: unknown) => Released,
): Promise<PaymentView> => {
  try {
    return await call(await providerOfPayment(merchant, payment))
  } catch (error) {
    await releasePayment(merchant, payment, failed(error))
    throw error
  }
}

const inspect = (merchant: MerchantId, claimed: ClaimedPayment): Promise<PaymentView> =>
  calling(
    merchant,
    claimed,
    provider => provider.inspect(claimed.payment.external_id ?? ''),
    () => ({ status: claimed.before.status as Released['status'] }),
  )

const capture = (merchant: MerchantId, claimed: ClaimedPayment): Promise<PaymentView> => {
  const { uuid, external_id, refusals } = claimed.payment
  return calling(
    merchant,
    claimed,
    provider => provider.capture(external_id ?? '', requestIdOf(uuid, 'take', refusals)),
    // PayPal repeats a definite refusal to the same request id, even when its cause is gone.
    error =>
      error instanceof ProviderRefusal
        ? { status: 'open', reason: error.reason, refusals: refusals + 1 }
        : { status: 'capturing' },
  )
}

/**
 * Asks the provider for the state of a claimed payment and, with `capture`, captures an approved payment. Asking first
 * prevents a second capture, a wrong amount and a payer other than `payerId`. Releases the claim if there is no money.
 * Throws payment_mismatch for another payer, and what the provider throws.
 */
export const inspectAndCapture = async (
  merchant: MerchantId,
  claimed: ClaimedPayment,
  options: { capture: boolean; payerId?: string | undefined },
): Promise<CaptureResult> => {
  const { payment, before } = claimed
  const view = await inspect(merchant, claimed)
  const found = resultOf(view, claimed)
  const isOtherPayer = options.payerId !== undefined && view.payerId !== null && view.payerId !== options.payerId
  if (isOtherPayer && (hasMoney(found) || found.status === 'approved')) {
    await releasePayment(merchant, payment, { status: before.status as Released['status'] })
    throw new Problem('payment_mismatch', { because: 'another payer approved it at the provider' })
  }
  const captures = found.status === 'approved' && options.capture
  const result = captures ? resultOf(await capture(merchant, claimed), claimed) : found
  if (!hasMoney(result)) await releasePayment(merchant, payment, releasedAs(claimed, result, captures))
  return result
}
