import { hasUnclearRefund, withAnswer, withRefusedRefunds } from '../../payments/credit-refunds.ts'
import type { Provider, RefundView } from '../../payments/provider.ts'
import { isProviderFailure, ProviderRefusal } from '../../payments/provider-failure.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { existingPayment, hasFailedForLong, openRefunds, paymentAction } from '../../payments/record.ts'
import { retry } from '../../platform/table/failures.ts'
import type { CreditRefund, PaymentItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { transact } from '../../platform/table/transact.ts'
import { changeWithStep } from '../checkout/returned.ts'

/** Changes a payment as it is now stored; money that went back is a step of its order in the same transaction. */
const record = (
  merchant: MerchantId,
  uuid: string,
  change: (payment: PaymentItem) => Partial<PaymentItem> | undefined,
  step?: { actor: string; refund: CreditRefund },
): Promise<PaymentItem> =>
  retry(
    async () => {
      const payment = await existingPayment(merchant, uuid)
      const set = change(payment)
      if (!set) return payment
      if (step) {
        const back = { amount: step.refund.amount, state: 'refunded' } as const
        await changeWithStep(merchant, payment, () => set, { event: 'refunded', actor: step.actor, back })
      } else await transact([paymentAction(merchant, payment, set)])
      return { ...payment, ...set, version: (payment.version ?? 0) + 1 }
    },
    () => true,
  )

const ask = async (provider: Provider, payment: PaymentItem, refund: CreditRefund): Promise<RefundView> => {
  if (refund.state === 'pending' && refund.refund_id) return provider.inspectRefund(refund.refund_id)
  const { capture_id, taken, uuid, currency } = payment
  const { amount, request_id } = refund
  try {
    return await provider.refund(capture_id ?? '', amount, request_id, uuid, taken?.currency ?? currency)
  } catch (error) {
    if (error instanceof ProviderRefusal) return { state: 'failed', refundId: null }
    throw error
  }
}

const refundOpen = async (merchant: MerchantId, payment: PaymentItem, actor: string): Promise<PaymentItem> => {
  if (openRefunds(payment).length === 0) return payment
  const provider = await providerOfPayment(merchant, payment)
  let present = payment
  for (const refund of openRefunds(payment)) {
    const answer = await ask(provider, present, refund)
    const step = answer.state === 'refunded' ? { actor, refund } : undefined
    present = await record(merchant, payment.uuid, stored => withAnswer(stored, refund, answer), step)
  }
  return present
}

/**
 * Requests the refunds of an order's credits, or asks how those that are on their way came out; `left` if some are not over,
 * `review` if the operator has to look whether a refund was made. A refund that fails three times, or for days, goes to
 * review. Throws what the provider throws.
 */
export const refundCredits = async (
  merchant: MerchantId,
  payment: PaymentItem,
  actor: string,
): Promise<'over' | 'left' | 'review'> => {
  try {
    const after = await refundOpen(merchant, payment, actor)
    if (openRefunds(after).length > 0) return 'left'
    return hasUnclearRefund(after) ? 'review' : 'over'
  } catch (error) {
    if (!isProviderFailure(error)) throw error
    const present = await existingPayment(merchant, payment.uuid)
    if (!hasFailedForLong(present)) throw error
    await record(merchant, payment.uuid, withRefusedRefunds)
    return 'review'
  }
}
