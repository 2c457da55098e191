import { Problem } from '../../contract/errors.ts'
import { amountTakenIn, paymentAction, tryChangePayment } from '../../payments/record.ts'
import { untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem, PaymentStatus } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { transact } from '../../platform/table/transact.ts'
import { formatMoney } from '../../values/money.ts'
import { timestamp } from '../../values/time.ts'
import { applyEvent } from '../documents.ts'
import { withNumbers } from '../numbering/numbers.ts'
import { type OrderRecord, withStep } from '../record.ts'
import type { OrderEvent } from '../states.ts'
import { changeActions, loadOrder, type StoredOrder } from '../store.ts'
import { type CaptureSuccess, releasePayment } from './capture.ts'

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

/** Marks money for refund that its order cannot take. */
const markRefund = async (merchant: MerchantId, before: PaymentItem, after: PaymentItem): Promise<void> => {
  const { capture_id, payer_id, taken, lease } = after
  // A request that took the claim over finds the same money and the same order.
  await tryChangePayment(merchant, before, { status: 'refund_due', capture_id, payer_id, taken, lease })
}

const events = {
  captured: 'payment_completed',
  refunded_in_part: 'payment_completed',
  pending: 'payment_pending',
} as const satisfies Partial<Record<PaymentStatus, OrderEvent>>

/** Adds a history entry if part of the money was refunded at the provider before the order was paid. */
const withReturned = (order: OrderRecord, after: PaymentItem, at: string, actor: string): OrderRecord => {
  if (!after.returned) return order
  const payment = { uuid: after.uuid, amount: formatMoney(-after.refunded), state: 'returned' } as const
  return withStep(order, { at, event: 'payment_returned', actor, payment })
}

/**
 * Records that the money arrived or is on its way: payment, order and documents in one transaction, if the payment is
 * unchanged since `stored` was read. If the order cannot take the money any more, marks it for refund and throws the order's
 * refusal.
 */
export const recordPayment = (
  merchant: MerchantId,
  stored: PaymentItem,
  after: PaymentItem & { status: keyof typeof events },
  actor: string,
): Promise<SettledOrder> =>
  withNumbers({
    attempt: async () => {
      const loaded = await untilShown(() => loadOrder(merchant, stored.order))
      const now = timestamp(Date.now())
      const effect = applyEvent(loaded.order, loaded.numbers, events[after.status], {
        now,
        actor,
        merchant: loaded.merchant,
        ...(after.status !== 'pending' && { payment: paymentDocument(after, now) }),
      })
      if ('refused' in effect) {
        await markRefund(merchant, stored, after)
        throw new Problem(effect.refused, {
          because: `the money came when the order was ${loaded.order.header.status}`,
        })
      }
      const isChanged = 'order' in effect
      const order = isChanged ? withReturned(effect.order, after, now, actor) : loaded.order
      const changes = isChanged ? changeActions(merchant, loaded, { ...effect, order }) : []
      await transact([paymentAction(merchant, stored, after), ...changes])
      return { order, firstPart: loaded.firstPart, payment: after }
    },
    // The claim protects the payment: only the order or the numbers can have changed.
    again: error => !error.hasFailed('payment'),
  })

/** Records the result of a capture; see recordPayment. If the table fails, releases the claim for the next try. */
export const settlePayment = async (
  merchant: MerchantId,
  payment: PaymentItem,
  { status, view }: CaptureSuccess,
  actor: string,
): Promise<SettledOrder> => {
  const { captureId, payerId, refunded, reason } = view
  const isRefundedInPart = status === 'captured' && refunded !== null && refunded > 0
  const after = {
    ...payment,
    status: isRefundedInPart ? ('refunded_in_part' as const) : status,
    ...(isRefundedInPart && { returned: 'undecided' as const }),
    reason,
    capture_id: captureId,
    payer_id: payerId,
    taken: amountTakenIn(view),
    refunded: refunded ?? 0,
    lease: 0,
  }
  try {
    return await recordPayment(merchant, payment, after, actor)
  } catch (error) {
    // Stryker disable next-line ObjectLiteral: A claimed payment is capturing already; the types want it said.
    // Stryker disable next-line ConditionalExpression: A payment that its order refused is claimed no more, so that
    // there is nothing to be given back.
    if (!(error instanceof Problem)) await releasePayment(merchant, payment, { status: 'capturing' }).catch(() => {})
    throw error
  }
}
