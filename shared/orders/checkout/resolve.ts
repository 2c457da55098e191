import type { PaymentItem } from '../../table/items.ts'
import type { MerchantId } from '../../table/keys.ts'
import { inspectPayment } from './capture.ts'
import { claimPayment } from './claim.ts'
import { settlePayment } from './settle.ts'

/**
 * Asks the provider what became of a payment and writes it down: `paid` when the money is there, `pending` when it is
 * on its way or wants a person, `unpaid` otherwise. Takes no money. Throws payment_in_progress while somebody is
 * capturing.
 */
export const resolvePayment = async (
  merchant: MerchantId,
  { uuid, order_uuid: order, type, external_id: externalId, payer_id }: PaymentItem,
  actor: string,
): Promise<'paid' | 'pending' | 'unpaid'> => {
  // Never reached the provider, so there is nothing to ask.
  if (!externalId) return 'unpaid'
  const claimed = await claimPayment(merchant, { payment: uuid, order, type, externalId, payerId: payer_id ?? '' })
  if ('settled' in claimed) return claimed.settled.status === 'captured' ? 'paid' : 'unpaid'
  const outcome = await inspectPayment(merchant, claimed)
  if (outcome === 'review') return 'pending'
  if (typeof outcome === 'string') return 'unpaid'
  await settlePayment(merchant, claimed.payment, outcome, actor)
  return outcome.status === 'captured' ? 'paid' : 'pending'
}
