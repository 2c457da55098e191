import { providerFor } from '../../payments/merchant-provider.ts'
import type { PaymentItem } from '../../payments/record.ts'
import type { MerchantId } from '../../table/keys.ts'
import { claimPayment, releasePayment } from './claim.ts'
import { isRightAmount, settle } from './settle.ts'

/**
 * Asks the provider what became of a payment and writes it down: `paid` when the money is there, `pending` when it is
 * on its way, `unpaid` otherwise. Takes no money. Throws payment_in_progress while somebody is capturing.
 */
export const resolvePayment = async (
  merchant: MerchantId,
  payment: PaymentItem,
  actor: string,
): Promise<'paid' | 'pending' | 'unpaid'> => {
  const { uuid, order_uuid: order, type, external_id: externalId, payer_id } = payment
  // Never reached the provider, so there is nothing to ask.
  if (!externalId) return 'unpaid'
  const claimed = await claimPayment(merchant, { payment: uuid, order, type, externalId, payerId: payer_id ?? '' })
  if ('settled' in claimed) return claimed.settled.status === 'captured' ? 'paid' : 'unpaid'
  const view = await (await providerFor(merchant)).inspect(externalId).catch(async error => {
    await releasePayment(merchant, claimed.payment, 'capturing')
    throw error
  })
  if (view.state === 'captured' || view.state === 'pending') {
    if (!isRightAmount(view, payment)) {
      await releasePayment(merchant, claimed.payment, 'review')
      return 'pending'
    }
    await settle(merchant, claimed.payment, { status: view.state, capture_id: view.captureId }, actor)
    return view.state === 'captured' ? 'paid' : 'pending'
  }
  await releasePayment(merchant, claimed.payment, view.state === 'declined' ? 'declined' : 'open')
  return 'unpaid'
}
