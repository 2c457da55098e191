import type { PaymentEvent } from '../../payments/events.ts'
import type { Provider, RefundView } from '../../payments/provider.ts'
import { isProviderFailure, ProviderRefusal } from '../../payments/provider-failure.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { existingPayment, hasFailedForLong, paymentAction } from '../../payments/record.ts'
import { changed, openRefunds, refusedRefunds } from '../../payments/refunds.ts'
import { setBy } from '../../payments/states.ts'
import { retry } from '../../platform/table/failures.ts'
import type { Opened, PaymentItem, Refund } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { transact } from '../../platform/table/transact.ts'
import { changeWithStep } from './returned.ts'

/** Applies a fact to a payment as it is now stored; credited money that went back is a step of its order. */
const record = (
  merchant: MerchantId,
  uuid: string,
  eventOf: (payment: PaymentItem) => PaymentEvent,
  step?: { actor: string; refund: Refund },
): Promise<PaymentItem> =>
  retry(
    async () => {
      const payment = await existingPayment(merchant, uuid)
      const set = setBy(payment, eventOf(payment))
      if (Object.keys(set).length === 0) return payment
      if (step && payment.status === 'captured') {
        const back = { amount: step.refund.amount, state: 'refunded' } as const
        await changeWithStep(merchant, payment, () => set, { event: 'refunded', actor: step.actor, back })
      } else await transact([paymentAction(merchant, payment, set)])
      return changed(payment, { ...set, version: (payment.version ?? 0) + 1 })
    },
    () => true,
  )

/**
 * Asks for money that no order takes, which may also arrive after its order was cancelled. Returns the payment, and whether
 * there is something to refund.
 */
const findUnused = async (
  merchant: MerchantId,
  payment: PaymentItem & Opened,
  provider: Provider,
): Promise<[PaymentItem, boolean]> => {
  const view = await provider.inspect(payment.external_id)
  const found = await record(merchant, payment.uuid, () => ({ is: 'reported', view }))
  return [found, view.state === 'captured']
}

const ask = async (
  provider: Provider,
  { capture_id, taken, uuid, currency }: PaymentItem,
  { state, refund_id, amount, request_id }: Refund,
): Promise<RefundView> => {
  if (state === 'pending' && refund_id) return provider.inspectRefund(refund_id)
  try {
    return await provider.refund(capture_id ?? '', amount, request_id, uuid, taken?.currency ?? currency)
  } catch (error) {
    if (error instanceof ProviderRefusal) return { state: 'failed', refundId: null }
    throw error
  }
}

const refundOpen = async (merchant: MerchantId, payment: PaymentItem & Opened, actor: string): Promise<PaymentItem> => {
  const open = openRefunds(payment)
  if (payment.status !== 'cancelled' && open.length === 0) return payment
  const provider = await providerOfPayment(merchant, payment)
  const isAsked = payment.status === 'cancelled' || (payment.status === 'unused' && open[0]?.state === 'due')
  let [present, isThere] = isAsked ? await findUnused(merchant, payment, provider) : [payment, true]
  for (const refund of isThere ? openRefunds(present) : []) {
    const answer = await ask(provider, present, refund)
    const step = answer.state === 'refunded' ? { actor, refund } : undefined
    present = await record(merchant, payment.uuid, () => ({ is: 'refund_answered', refund, answer }), step)
  }
  return present
}

/**
 * Requests the refunds of a payment, or asks how those that are on their way came out; `left` if some are not over, `review`
 * if money that no order takes could not be refunded, `over` otherwise. A refund that fails three times, or for days, goes to
 * review. Throws what the provider throws.
 */
export const requestRefunds = async (
  merchant: MerchantId,
  payment: PaymentItem,
  actor: string,
): Promise<'over' | 'left' | 'review'> => {
  if (payment.external_id === null) return 'left'
  try {
    const after = await refundOpen(merchant, payment, actor)
    if (after.status === 'cancelled' || openRefunds(after).length > 0) return 'left'
    return after.status === 'unused' && refusedRefunds(after).length > 0 ? 'review' : 'over'
  } catch (error) {
    if (!isProviderFailure(error)) throw error
    const present = await existingPayment(merchant, payment.uuid)
    if (openRefunds(present).length === 0 || !hasFailedForLong(present)) throw error
    await record(merchant, payment.uuid, () => ({ is: 'failing_for_long', reason: 'REFUND_REFUSED' }))
    return 'review'
  }
}
