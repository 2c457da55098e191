import type { Cents } from '../money.ts'

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
export type Opened = { externalId: string; targetUrl: string }

/** What the provider says of a payment. Only amounts and ids in here count, never those of a request. */
export type PaymentView = {
  state: 'open' | 'approved' | 'captured' | 'pending' | 'declined' | 'cancelled'
  amount: Cents | null
  currency: string | null
  /** UUID of our payment, as the provider knows it. */
  customId: string | null
  payerId: string | null
  captureId: string | null
}

/** What became of a refund. */
export type RefundView = { state: 'refunded' | 'pending'; refundId: string }

/**
 * A payment provider. Every verb may throw Problem payment_provider_error (502) when the provider failed, or
 * payment_provider_timeout (504) when it did not answer within 5 seconds and the outcome is unknown.
 */
export type Provider = {
  open(request: OpenRequest): Promise<Opened>
  inspect(externalId: string): Promise<PaymentView>
  /** Takes the money of an approved payment. The state of a payment that is not approved yet is `open`. */
  capture(externalId: string, requestId: string): Promise<PaymentView>
  refund(captureId: string, amount: Cents, requestId: string): Promise<RefundView>
}
