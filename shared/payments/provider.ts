import type { MerchantId } from '../platform/table/keys.ts'
import type { Cents } from '../values/money.ts'

export type OpenRequest = {
  /** UUID of our payment; sent as the provider's custom id, and compared with its answers. */
  payment: string
  order: { uuid: string; number: string }
  /** Shown to the payer. */
  merchantName: string
  amount: Cents
  currency: 'EUR'
  /** Where the payer is sent after approving; its query names our payment in `pid`. */
  returnUrl: string
  cancelUrl: string
  requestId: string
}

/**
 * A payment as the provider reports it. Amounts and ids are trusted only from here, never from a caller's request.
 * - `open`: not approved yet; `approved`: may be captured
 * - `captured`: the money arrived, perhaps refunded in part; `pending`: it is on its way
 * - `declined`: the last capture failed, and the payer may choose other means
 * - `cancelled`: voided or expired before any money moved
 * - `refunded`: refunded in full, or charged back
 * - `missing`: unknown to the provider (any more)
 */
export type PaymentView = {
  state: 'open' | 'approved' | 'captured' | 'pending' | 'declined' | 'cancelled' | 'refunded' | 'missing'
  amount: Cents | null
  currency: string | null
  customId: string | null
  payerId: string | null
  /**
   * The provider's id of the capture: a payment with a capture cannot be captured again. A declined payment with a
   * capture has ended; without it, the payer may choose other means and the capture be requested again.
   */
  captureId: string | null
  /** Refunded so far; null if nothing was captured, or the provider does not report it. */
  refunded: Cents | null
  /** The provider's reason code, such as INSTRUMENT_DECLINED: /^[A-Z0-9_]{1,64}$/. */
  reason: string | null
}

export const bareView = (state: PaymentView['state'], reason: string | null = null): PaymentView => ({
  state,
  amount: null,
  currency: null,
  customId: null,
  payerId: null,
  captureId: null,
  refunded: null,
  reason,
})

export const amountTakenIn = ({ amount, currency }: PaymentView): { amount: Cents; currency: string } | null =>
  amount === null || currency === null ? null : { amount, currency }

/** True if the provider no longer knows a capture that it once reported; never a reason to cancel. */
export const hasLostCapture = ({ capture_id }: { capture_id: string | null }, { captureId }: PaymentView): boolean =>
  capture_id !== null && captureId === null

export type RefundView = { state: 'refunded' | 'pending' | 'failed'; refundId: string | null }

/**
 * A payment provider. Every verb may throw Problem payment_provider_error (502) if the provider failed, or
 * payment_provider_timeout (504) if it did not answer in time. The outcome is then unknown, so a repeat must have the
 * same request id. Only a ProviderRefusal is definite: nothing was done. Both may have a `retry-after` header.
 */
export type Provider = {
  /** The id of the account at the provider; no secret. */
  readonly account: string
  open(request: OpenRequest): Promise<{ externalId: string; targetUrl: string }>
  inspect(externalId: string): Promise<PaymentView>
  /** Captures an approved payment. The state of a payment that is not approved yet is `open`. */
  capture(externalId: string, requestId: string): Promise<PaymentView>
  /** Refunds money, in the currency of the capture. */
  refund(captureId: string, amount: Cents, requestId: string, payment: string, currency: string): Promise<RefundView>
  inspectRefund(refundId: string): Promise<RefundView>
}

const letters = { open: 'o', take: 't', back: 'b' } as const

/**
 * The idempotency key of a request to a provider, at most 38 characters (PayPal's limit). A provider repeats its first
 * answer to a repeated key, so after a definite refusal only another `attempt` is a new request.
 */
export const requestIdOf = (payment: string, verb: keyof typeof letters, attempt = 0): string =>
  `${payment.replaceAll('-', '')}-${letters[verb]}${attempt}`

/** A webhook request; header names in lower case, the body unparsed. */
export type Delivery = { headers: Readonly<Record<string, string | undefined>>; body: Buffer }

/** A kind of provider with its accounts. All may throw payment_provider_error if credentials cannot be read. */
export type ProviderModule = {
  /** The provider at a merchant's present account. Throws ProviderUnusable if it cannot take payments. */
  ofMerchant(merchant: MerchantId): Promise<Provider>
  /** The provider at an account where a payment was opened; undefined if its credentials were removed. */
  ofAccount(merchant: MerchantId, account: string): Promise<Provider | undefined>
  /** Throws webhook_signature_invalid unless an event is signed for the account. */
  verifyEvent(delivery: Delivery, merchant: MerchantId, account: string): Promise<void>
}
