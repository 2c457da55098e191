import type { Payment } from '../contract/orders.ts'
import { type Cents, formatMoney } from '../money.ts'
import type { PaymentType } from '../orders/states.ts'
import { indexKey, type Key } from '../table/keys.ts'

/**
 * Where a payment stands: `created` has not reached the provider yet, `open` waits for the payer, `capturing` is
 * claimed by one finish, `refund_due` is money taken for an order that was cancelled, `review` wants a person.
 */
export type PaymentStatus =
  | 'created'
  | 'open'
  | 'capturing'
  | 'captured'
  | 'pending'
  | 'declined'
  | 'cancelled'
  | 'refund_due'
  | 'refunded'
  | 'review'

/** A payment of an order at an external provider, as it is stored; `lease` is the end of a claim in milliseconds. */
export type PaymentItem = {
  uuid: string
  order: number
  order_uuid: string
  type: PaymentType
  amount: Cents
  currency: 'EUR'
  status: PaymentStatus
  external_id: string | null
  target_url: string | null
  return_url: string
  cancel_url: string
  payer_id: string | null
  capture_id: string | null
  lease: number
  crstamp: string
  /** Its place among the payments that wait for the sweep; a settled one has none. */
  by?: string
}

/** The place of a payment that waits for the sweep to look after it. */
export const waiting = (task: 'open' | 'refund', since: string): string => indexKey('payment', { task, since })

/** A payment as it is answered. */
export const paymentView = ({
  uuid,
  type,
  status,
  amount,
  currency,
  external_id,
  target_url,
}: PaymentItem): Payment => ({
  uuid,
  type,
  status,
  amount: formatMoney(amount),
  currency,
  external_id,
  target_url,
})

/** A payment without the table's own attributes. */
export const paymentOf = ({ pk, sk, ...payment }: PaymentItem & Key): PaymentItem => payment

/** The id under which a provider knows a request again; PayPal's guides allow 38 characters. */
export const requestIdOf = (payment: string, verb: 'open' | 'take' | 'back'): string =>
  `${payment.replaceAll('-', '')}-${verb}`
