import type { Payment } from '../contract/records/order.ts'
import { formatMoney } from '../money.ts'
import type { PaymentItem } from '../table/items.ts'
import { indexKey } from '../table/keys.ts'

/** The place of a payment that waits for the sweep to look after it, since a timestamp. */
export const waitingKey = (task: 'open' | 'refund', since: string): string => indexKey('payment', { task, since })

/** A payment as it is shown. */
export const paymentView = ({
  uuid,
  type,
  status,
  amount,
  currency,
  external_id,
  target_url,
}: PaymentItem): Payment => ({ uuid, type, status, amount: formatMoney(amount), currency, external_id, target_url })

/** The id under which a provider knows a request again; PayPal's guides allow 38 characters. */
export const requestIdOf = (payment: string, verb: 'open' | 'take' | 'back'): string =>
  `${payment.replaceAll('-', '')}-${verb}`
