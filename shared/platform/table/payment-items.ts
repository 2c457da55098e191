import type { PaymentType, ProviderName } from '../../contract/vocabulary.ts'
import type { Cents } from '../../values/money.ts'

/**
 * The status of a payment: `created` has not reached the provider yet, `open` waits for the payer. `capturing` is claimed
 * by one request for a time; after that its outcome is unknown. `captured` is paid, `pending` is on its way. `declined`: the
 * last capture failed, or the payment is over at its provider. `cancelled` went with its order; `unused` is money that goes
 * back because no order takes it. `review` needs a human decision.
 */
export type PaymentStatus =
  | 'created'
  | 'open'
  | 'capturing'
  | 'captured'
  | 'pending'
  | 'declined'
  | 'cancelled'
  | 'unused'
  | 'review'

/**
 * Money that goes back: `due` is to be requested, `pending` is on its way, `expected` was refunded at the provider by the
 * merchant and is not reported yet, `refunded` or `by_hand` is over, `review` was refused and waits for a human decision. A
 * request has one id until the provider definitely refuses it.
 */
export type Refund = {
  /** Number of the credit advice; null for money that no order takes, or that a whole credit left. */
  credit: number | null
  amount: Cents
  state: 'due' | 'pending' | 'expected' | 'refunded' | 'by_hand' | 'review'
  request_id: string
  refund_id: string | null
  failed: number
}

/** The fields of a payment in each status. */
export type PaymentFields = {
  uuid: string
  order: number
  order_uuid: string
  type: PaymentType
  amount: Cents
  currency: 'EUR'
  return_url: string
  cancel_url: string
  /** The payer and the captured amount, as the provider reports them. */
  payer_id: string | null
  capture_id: string | null
  taken: { amount: Cents; currency: string } | null
  refunds: Refund[]
  /** How many request ids of refunds were used. */
  requests: number
  /** The money that went back at the provider, as it reports or answers; by others in all; and the part of that without a decision. */
  reported: Cents
  returned: Cents
  undecided: Cents
  /** A credit of the whole order left money with the merchant, who has to decide about it. */
  left?: 'undecided' | null
  /** The merchant's last decision, until something else happens to the money. */
  decided?: 'accept' | 'refund' | null
  /** Why it was declined or is in review: the provider's word, or ours. */
  reason: string | null
  /** How often the provider definitely refused to take the money; each try then is a new request. */
  refusals: number
  /** Since when, in milliseconds, its provider cannot serve it; null while it can. */
  failing_since: number | null
  /** How often it was changed; absent before the first change. */
  version?: number
  crstamp: string
}

type Unopened = { provider: null; account: null; external_id: null; target_url: null }

/** The provider and the account there, from when the payment was opened; the merchant may have changed both since. */
export type Opened = { provider: ProviderName; account: string; external_id: string; target_url: string | null }

/** A payment of an order at an external provider. */
export type PaymentItem = PaymentFields &
  (
    | ({ status: 'created' } & Unopened)
    | ({ status: 'cancelled' } & (Unopened | Opened))
    /** Claimed until `lease`, in milliseconds. */
    | ({ status: 'capturing'; lease: number } & Opened)
    | ({ status: Exclude<PaymentStatus, 'created' | 'cancelled' | 'capturing'> } & Opened)
  )

/** A payment that a request has claimed. */
export type CapturingPayment = Extract<PaymentItem, { status: 'capturing' }>

/** Leads from the id that a provider gave to a payment. */
export type ExternalPaymentItem = { uuid: string }

/** The merchant of a payment or wine that a provider's event or a public link names without the merchant. */
export type OwnerItem = { customers_id: number }

/**
 * An event of a payment provider: `lease` is the end, in milliseconds, of the time in which a request processes it, and
 * the largest whole number once that is done; goes at `expires` (unix seconds).
 */
export type WebhookEventItem = { lease: number; expires: number }

/** The sandbox's behaviour at the capture, as chosen at its approve page. */
export type SandboxBehaviour = 'prompt' | 'pending' | 'slow' | 'lost' | 'decline'

/** A payment at the sandbox, the stand-in of a payment provider; each refund is kept under its request id. */
export type SandboxPaymentItem = {
  id: string
  /** UUID of the payment it was opened for. */
  payment: string
  merchantName: string
  orderNumber: string
  amount: Cents
  currency: 'EUR'
  returnUrl: string
  cancelUrl: string
  state: 'open' | 'approved' | 'declined' | 'cancelled' | 'pending' | 'captured'
  behaviour: SandboxBehaviour
  /** The form of the approve page must send it; every choice makes a new form id. */
  nonce: string
  payerId: string | null
  /** How often money was taken: never more than once. */
  captures: number
  captureId: string | null
  /** Milliseconds since 1970 from which the capture shows. */
  effective: number | null
  /** Paid back so far. */
  refunded: Cents
  [refund: `refund:${string}`]: Cents
}
