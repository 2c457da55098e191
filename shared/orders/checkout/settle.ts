import { Problem } from '../../contract/errors.ts'
import type { PaymentEvent } from '../../payments/events.ts'
import { paymentAction, tryChangePayment } from '../../payments/record.ts'
import { changed } from '../../payments/refunds.ts'
import { nextPayment } from '../../payments/states.ts'
import { untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { transact } from '../../platform/table/transact.ts'
import { formatMoney } from '../../values/money.ts'
import { timestamp } from '../../values/time.ts'
import { applyEvent } from '../documents.ts'
import { withNumbers } from '../numbering/numbers.ts'
import { type OrderRecord, withStep } from '../record.ts'
import type { OrderEvent } from '../states.ts'
import { changeActions, loadOrder, type StoredOrder } from '../store.ts'

/** An order with its payment, as both are stored after the payment was settled. */
export type SettledOrder = StoredOrder & { payment: PaymentItem }

/** The payment under an order's documents. */
const paymentDocument = ({ uuid, type, amount, taken, external_id, payer_id }: PaymentItem, now: string) => ({
  uuid,
  payment_type: type,
  amount: formatMoney(taken?.amount ?? amount),
  currency: taken?.currency ?? 'EUR',
  external_id,
  payer_id,
  crstamp: now,
})

const eventOf = ({ status }: PaymentItem): OrderEvent =>
  status === 'pending' ? 'payment_pending' : 'payment_completed'

// The next claim asks the provider again, as after a capture without an answer.
const moneyUnrecorded: PaymentEvent = {
  is: 'unanswered',
  claim: { before: 'capturing', mayCapture: true, hasRequested: true },
}

/** Adds a history entry if part of the money was refunded at the provider before the order was paid. */
const withReturned = (order: OrderRecord, after: PaymentItem, at: string, actor: string): OrderRecord => {
  if (after.returned === 0) return order
  const payment = { uuid: after.uuid, amount: formatMoney(0 - after.returned), state: 'returned' } as const
  return withStep(order, { at, event: 'payment_returned', actor, payment })
}

/** Writes what a fact makes of a claimed payment, unless another request has taken the claim over. */
export const changeClaimed = async (merchant: MerchantId, payment: PaymentItem, event: PaymentEvent): Promise<void> => {
  const next = nextPayment(payment, event)
  if (!('refused' in next)) await tryChangePayment(merchant, payment, next.set)
}

/**
 * Records that the money arrived or is on its way: payment, order and documents in one transaction, if the payment is
 * unchanged since `stored` was read. If the order cannot take the money any more, marks it for refund and throws the order's
 * refusal.
 */
export const recordPayment = (
  merchant: MerchantId,
  stored: PaymentItem,
  paid: Partial<PaymentItem>,
  actor: string,
): Promise<SettledOrder> =>
  withNumbers({
    attempt: async () => {
      const after = changed(stored, paid)
      const loaded = await untilShown(() => loadOrder(merchant, stored.order))
      const now = timestamp(Date.now())
      const effect = applyEvent(loaded.order, loaded.numbers, eventOf(after), {
        now,
        actor,
        merchant: loaded.merchant,
        ...(after.status !== 'pending' && { payment: paymentDocument(after, now) }),
      })
      if ('refused' in effect) {
        const { capture_id, payer_id, taken } = after
        // A request that took the claim over finds the same money and the same order.
        await changeClaimed(merchant, stored, { is: 'order_refused', money: { capture_id, payer_id, taken } })
        throw new Problem(effect.refused, {
          because: `the money came when the order was ${loaded.order.header.status}`,
        })
      }
      const isChanged = 'order' in effect
      const order = isChanged ? withReturned(effect.order, after, now, actor) : loaded.order
      const changes = isChanged ? changeActions(merchant, loaded, { ...effect, order }) : []
      await transact([paymentAction(merchant, stored, paid), ...changes])
      return { order, firstPart: loaded.firstPart, payment: after }
    },
    // The claim protects the payment: only the order or the numbers can have changed.
    again: error => !error.hasFailed('payment'),
  })

/** Records the money of a claimed payment; see recordPayment. If the table fails, releases the claim for the next try. */
export const settlePayment = async (
  merchant: MerchantId,
  payment: PaymentItem,
  paid: Partial<PaymentItem>,
  actor: string,
): Promise<SettledOrder> => {
  try {
    return await recordPayment(merchant, payment, paid, actor)
  } catch (error) {
    // Stryker disable next-line ConditionalExpression: A payment that its order refused is claimed no more, so that
    // there is nothing to be given back.
    if (!(error instanceof Problem)) await changeClaimed(merchant, payment, moneyUnrecorded).catch(() => {})
    throw error
  }
}
