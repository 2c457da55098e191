import type { Opened, PaymentItem, PaymentStatus, Refund } from '../platform/table/items.ts'
import type { Cents } from '../values/money.ts'
import type { PaymentView, RefundView } from './provider.ts'

/** How money that a provider took goes back. */
export type GivesBack = 'at the provider' | 'by hand'

/** How the money of a credit goes back; a refund `by the merchant at the provider` is announced, and not reported yet. */
export type CreditWay = GivesBack | 'by the merchant at the provider' | 'none'

/** A request that claimed a payment: the status before, and what the request may do. */
export type Claim = {
  before: PaymentStatus
  /** True if it may capture what the payer approved. */
  mayCapture: boolean
  /** The only payer whose money it takes. */
  payerId?: string | undefined
  /** True once it has requested the capture. */
  hasRequested?: boolean
}

/** A fact about a payment. */
export type PaymentEvent =
  | { is: 'opened'; opened: Opened }
  | { is: 'claimed' }
  /** The provider shows the payment: to the request that claimed it, or about money that was taken before. */
  | { is: 'reported'; view: PaymentView; claim?: Claim; isOrderCancelled?: boolean }
  /** The provider did nothing, and would refuse the same request again. */
  | { is: 'refused'; reason: string | null; claim: Claim }
  /** It is unknown what the provider did. */
  | { is: 'unanswered'; claim: Claim }
  /** The order cannot take the money that was reported. */
  | { is: 'order_refused'; money: Money }
  /** `ifUnopened`: only while the payment has not reached its provider. */
  | { is: 'order_cancelled'; givesBack?: GivesBack | undefined; ifUnopened?: boolean | undefined }
  /** The order was credited: so much goes back for the advice of that number, and what is left then is in question. */
  | { is: 'credited'; credit: number; amount: Cents; way: CreditWay; isWhole: boolean; isCancelled: boolean }
  | { is: 'refund_answered'; refund: Refund; answer: RefundView }
  /** The provider could not serve the payment for days. */
  | { is: 'failing_for_long'; reason: string | null }
  /**
   * The merchant's decision: the order takes the money, or is kept without the money that others gave back, perhaps because
   * that was the refund of a `credit`; or the money goes back.
   */
  | { is: 'decided'; decision: 'accept'; credit?: { number: number; gross: Cents } | undefined }
  | { is: 'decided'; decision: 'refund'; givesBack: GivesBack }

export type Money = Partial<Pick<PaymentItem, 'capture_id' | 'payer_id' | 'taken'>>

/** Why a claimed payment was not paid; after `unpayable` it cannot be. */
export type Unpaid = {
  status: 'open' | 'approved' | 'declined' | 'mismatch' | 'unpayable' | 'review' | 'other payer'
  reason: string | null
  taken?: PaymentItem['taken']
}

/**
 * The changed fields, and what has to be done next: `ask` or `capture` at the provider, `settle` with the order in one
 * transaction, `refund`, `expire` the order, wait for the merchant's `review`, or `wait` until the payment is due again.
 */
export type Next = {
  set: Partial<PaymentItem>
  todo: 'ask' | 'capture' | 'settle' | 'refund' | 'expire' | 'review' | 'wait'
  unpaid?: Unpaid
}

/** `busy`: another request has claimed the payment. */
export type Refused = { refused: 'busy' | 'not_in_this_status' }
