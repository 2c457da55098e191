import type { Provider, RefundView } from '../../payments/provider.ts'
import { isProviderFailure, ProviderRefusal } from '../../payments/provider-failure.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { changePayment, existingPayment, hasFailedForLong, requestIdOf } from '../../payments/record.ts'
import { nextPayment, setBy } from '../../payments/states.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'

export type RefundResult = 'refunded' | 'review' | 'left'

const resultOf = ({ status }: PaymentItem): RefundResult =>
  status === 'refunded' || status === 'review' ? status : 'left'

/** Records the provider's answer to a refund of all that was left; `known` was not written yet. */
const recordAnswer = async (
  merchant: MerchantId,
  payment: PaymentItem,
  answer: RefundView,
  known: Partial<PaymentItem> = {},
): Promise<RefundResult> => {
  const set = setBy({ ...payment, ...known }, { is: 'refund_answered', answer })
  return resultOf(await changePayment(merchant, payment, { ...known, ...set }))
}

/** Asks the provider for money to be refunded, and refunds it. */
const refundFound = async (merchant: MerchantId, payment: PaymentItem, provider: Provider): Promise<RefundResult> => {
  // Stryker disable next-line StringLiteral: A payment that its provider is asked about was opened there, under an id;
  // the types do not know.
  const view = await provider.inspect(payment.external_id ?? '')
  const found = setBy(payment, { is: 'reported', view })
  if (view.state !== 'captured') return resultOf(await changePayment(merchant, payment, found))
  // A cancelled payment is watched for a day only; a payment that is due for refund, until it is refunded.
  const isNews = payment.status === 'cancelled'
  const due = isNews ? await changePayment(merchant, payment, found) : payment
  const known = isNews ? {} : found
  const { uuid, capture_id, taken, amount, currency, failed_refunds } = { ...due, ...known }
  const left = (taken?.amount ?? amount) - (view.refunded ?? 0)
  try {
    const requestId = requestIdOf(uuid, 'back', failed_refunds)
    // Stryker disable next-line StringLiteral: Money that is there was taken under an id; the types do not know.
    const answer = await provider.refund(capture_id ?? '', left, requestId, uuid, taken?.currency ?? currency)
    return await recordAnswer(merchant, due, answer, known)
  } catch (error) {
    if (error instanceof ProviderRefusal) await changePayment(merchant, due, setBy(due, { is: 'refund_refused' }))
    throw error
  }
}

/**
 * Refunds money that an order did not take, or that arrives after its order was cancelled. A refund that fails three times,
 * or for days, goes to review. Throws what the provider throws, and ConditionFailed if another request changed the payment.
 */
export const refundUnusedPayment = async (merchant: MerchantId, payment: PaymentItem): Promise<RefundResult> => {
  const { uuid, status, external_id, refund_id } = payment
  if (!external_id) return 'left'
  try {
    const provider = await providerOfPayment(merchant, payment)
    return status === 'refund_pending' && refund_id
      ? await recordAnswer(merchant, payment, await provider.inspectRefund(refund_id))
      : await refundFound(merchant, payment, provider)
  } catch (error) {
    if (!isProviderFailure(error)) throw error
    const present = await existingPayment(merchant, uuid)
    const next = nextPayment(present, { is: 'failing_for_long', reason: 'REFUND_REFUSED' })
    if ('refused' in next || !hasFailedForLong(present)) throw error
    await changePayment(merchant, present, next.set)
    return 'review'
  }
}
