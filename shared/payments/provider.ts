import type { Cents } from '../values/money.ts'

/** What a provider is asked to open; `requestId` makes a repeat the same request. */
export type OpenRequest = {
  /** UUID of our payment; sent as the provider's custom id and held against its answers. */
  payment: string
  order: { uuid: string; number: string }
  /** The merchant's name, for the payer. */
  merchantName: string
  amount: Cents
  currency: 'EUR'
  /** Where the payer is sent after approving; it names our payment in `pid` already. */
  returnUrl: string
  cancelUrl: string
  requestId: string
}

/** A payment at the provider: its id there, and where the payer approves it. */
type Opened = { externalId: string; targetUrl: string }

/**
 * What the provider says of a payment. Only amounts and ids in here count, never those of a request.
 * - `open`: nobody approved it yet; `approved`: its money may be taken
 * - `captured`: the money is there, all of it or what is left after refunds; `pending`: it is on its way
 * - `declined`: no money came of the last try, and the payer may pay by other means
 * - `cancelled`: voided or expired before any money moved
 * - `refunded`: all that was taken was given back, or taken back by the payer's bank
 * - `missing`: the provider knows no such payment (any more)
 */
export type PaymentView = {
  state: 'open' | 'approved' | 'captured' | 'pending' | 'declined' | 'cancelled' | 'refunded' | 'missing'
  amount: Cents | null
  currency: string | null
  /** UUID of our payment, as the provider knows it. */
  customId: string | null
  payerId: string | null
  /**
   * The provider's id of what was taken, or tried: a payment that has one cannot be captured again. A declined payment
   * with one is over; without one, the payer may choose other means and the capture be asked for anew.
   */
  captureId: string | null
  /** What was given back so far; null when nothing was taken, or the provider does not say. */
  refunded: Cents | null
  /** The provider's own word for a decline, a pending or an end, such as INSTRUMENT_DECLINED: /^[A-Z0-9_]{1,64}$/. */
  reason: string | null
}

/** A payment of which nothing but its state, and perhaps the provider's word for it, is known. */
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

/** What became of a refund; its id is null when the provider names none. */
export type RefundView = { state: 'refunded' | 'pending' | 'failed'; refundId: string | null }

/**
 * A payment provider. Every verb may throw Problem payment_provider_error (502) when the provider failed, or
 * payment_provider_timeout (504) when it did not answer in time; the outcome is unknown then, so a repeat must have the
 * same request id. A ProviderRefusal is the one definite failure: nothing was done. Both may say `retry-after`.
 */
export type Provider = {
  /** What tells one account at the provider from another; no secret. */
  readonly account: string
  open(request: OpenRequest): Promise<Opened>
  inspect(externalId: string): Promise<PaymentView>
  /** Takes the money of an approved payment. The state of a payment that is not approved yet is `open`. */
  capture(externalId: string, requestId: string): Promise<PaymentView>
  /** Gives back money in the currency in which it was taken. */
  refund(captureId: string, amount: Cents, requestId: string, payment: string, currency: string): Promise<RefundView>
  /** What became of a refund that was pending. */
  inspectRefund(refundId: string): Promise<RefundView>
}
