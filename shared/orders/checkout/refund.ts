import type { PaymentView, Provider, RefundView } from '../../payments/provider.ts'
import { isProviderFailure, ProviderRefusal } from '../../payments/provider-failure.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { amountTakenIn, changePayment, hasFailedForLong, hasLostCapture, requestIdOf } from '../../payments/record.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'

export type RefundResult = 'refunded' | 'review' | 'left'

const maxFailedRefunds = 3

/** Records the provider's answer to a refund of all that was left. */
const writeRefund = async (
  merchant: MerchantId,
  payment: PaymentItem,
  { state, refundId }: RefundView,
  known: Partial<PaymentItem>,
): Promise<RefundResult> => {
  if (state === 'refunded') {
    const refunded = known.taken?.amount ?? payment.taken?.amount ?? payment.amount
    await changePayment(merchant, payment, { ...known, status: 'refunded', refund_id: refundId, refunded })
    return 'refunded'
  }
  if (state === 'pending') {
    await changePayment(merchant, payment, { ...known, status: 'refund_pending', refund_id: refundId })
    return 'left'
  }
  const failed_refunds = payment.failed_refunds + 1
  const isOver = failed_refunds >= maxFailedRefunds
  const status = isOver ? 'review' : 'refund_due'
  await changePayment(merchant, payment, { ...known, status, failed_refunds, refund_id: null, reason: 'REFUND_FAILED' })
  return isOver ? 'review' : 'left'
}

const refundAll = async (
  merchant: MerchantId,
  payment: PaymentItem,
  provider: Provider,
  view: PaymentView,
): Promise<RefundResult> => {
  // Stryker disable next-line StringLiteral: Money that is there was taken under an id; the types do not know.
  const captureId = view.captureId ?? payment.capture_id ?? ''
  const taken = amountTakenIn(view) ?? payment.taken
  const known = { capture_id: captureId, taken }
  const isNews = payment.status === 'cancelled'
  // A cancelled payment is watched for a day only; a payment that is due for refund, until it is refunded.
  const due = isNews ? await changePayment(merchant, payment, { ...known, status: 'refund_due' }) : payment
  const left = (taken?.amount ?? payment.amount) - (view.refunded ?? 0)
  const requestId = requestIdOf(payment.uuid, 'back', payment.failed_refunds)
  const currency = taken?.currency ?? payment.currency
  const refund = await provider.refund(captureId, left, requestId, payment.uuid, currency).catch(async error => {
    // The same request id would bring the same refusal again.
    const failed_refunds = due.failed_refunds + 1
    if (error instanceof ProviderRefusal) await changePayment(merchant, due, { failed_refunds })
    throw error
  })
  return writeRefund(merchant, due, refund, known)
}

/** Asks the provider for money to be refunded, and refunds it. */
const refundFound = async (merchant: MerchantId, payment: PaymentItem, provider: Provider): Promise<RefundResult> => {
  // Stryker disable next-line StringLiteral: A payment that its provider is asked about was opened there, under an id;
  // the types do not know.
  const view = await provider.inspect(payment.external_id ?? '')
  const { state } = view
  if (state === 'captured') return refundAll(merchant, payment, provider, view)
  if (state === 'refunded') {
    const refunded = view.refunded ?? view.amount ?? payment.amount
    await changePayment(merchant, payment, { status: 'refunded', capture_id: view.captureId, refunded })
    return 'refunded'
  }
  if (hasLostCapture(payment, view)) {
    await changePayment(merchant, payment, { status: 'review', reason: 'UNKNOWN_TO_PROVIDER' })
    return 'review'
  }
  if (state === 'pending') await changePayment(merchant, payment, { status: 'refund_due', capture_id: view.captureId })
  // A capture that was requested at the last moment may still take effect.
  else await changePayment(merchant, payment, { status: 'cancelled' })
  return 'left'
}

const followRefund = async (merchant: MerchantId, payment: PaymentItem, provider: Provider): Promise<RefundResult> =>
  payment.refund_id
    ? writeRefund(merchant, payment, await provider.inspectRefund(payment.refund_id), {})
    : refundFound(merchant, payment, provider)

/**
 * Refunds money that an order did not take, or that arrives after its order was cancelled. A refund that fails three times,
 * or for days, goes to review. Throws what the provider throws, and ConditionFailed if another request changed the payment.
 */
export const refundUnusedPayment = async (merchant: MerchantId, payment: PaymentItem): Promise<RefundResult> => {
  if (!payment.external_id) return 'left'
  try {
    const provider = await providerOfPayment(merchant, payment)
    return await (payment.status === 'refund_pending' ? followRefund : refundFound)(merchant, payment, provider)
  } catch (error) {
    if (!isProviderFailure(error)) throw error
    const present = await getItem(key('payment', { merchant, uuid: payment.uuid }))
    // Stryker disable next-line OptionalChaining: Payments are never deleted: only the types know of a payment that is
    // gone between two reads.
    if (!present?.status.startsWith('refund_') || !hasFailedForLong(present)) throw error
    await changePayment(merchant, present, { status: 'review', reason: 'REFUND_REFUSED' })
    return 'review'
  }
}
