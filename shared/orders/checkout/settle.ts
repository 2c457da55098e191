import { Problem } from '../../contract/errors.ts'
import { formatMoney } from '../../money.ts'
import type { PaymentView } from '../../payments/provider.ts'
import { type PaymentItem, waiting } from '../../payments/record.ts'
import { equals } from '../../table/expressions.ts'
import { key, type MerchantId } from '../../table/keys.ts'
import { updateItem } from '../../table/table.ts'
import { type Action, retrying, transact } from '../../table/transact.ts'
import { timestamp } from '../../time.ts'
import { changeActions, type LoadedOrder, loadOrder } from '../load.ts'
import type { OrderRecord } from '../record.ts'
import { applyEvent } from '../transitions.ts'

/** What a settled payment did to its order. */
export type Settled = { order: OrderRecord; first: LoadedOrder['firstPart']; payment: PaymentItem }

type Outcome = { status: 'captured' | 'pending'; capture_id: string | null }

const settledPayment = (payment: PaymentItem, { status, capture_id }: Outcome): PaymentItem => {
  const { by, ...rest } = payment
  return { ...rest, status, capture_id, lease: 0, ...(status === 'pending' && by && { by }) }
}

/** Money that arrived, as it stands under an order's documents. */
export const paymentDocument = ({ uuid, type, amount, currency, external_id, payer_id }: PaymentItem, now: string) => ({
  uuid,
  payment_type: type,
  amount: formatMoney(amount),
  currency,
  external_id,
  payer_id,
  crstamp: now,
})

const paymentAction = (merchant: MerchantId, before: PaymentItem, after: PaymentItem): Action => ({
  name: 'payment',
  key: key('payment', { merchant, uuid: before.uuid }),
  when: [equals('status', before.status), equals('lease', before.lease)],
  put: after,
})

/** Captured money of an order that cannot take it is kept in mind until it is paid back. */
const markRefund = async (merchant: MerchantId, payment: PaymentItem, captureId: string | null): Promise<void> => {
  const set = { status: 'refund_due', capture_id: captureId, lease: 0, by: waiting('refund', payment.crstamp) }
  await updateItem(key('payment', { merchant, uuid: payment.uuid }), { set })
}

/**
 * Writes what the provider did with a claimed payment: payment, order and documents in one transaction. Throws
 * order_cancelled after marking the money for refund when the order was cancelled meanwhile.
 */
export const settle = (merchant: MerchantId, payment: PaymentItem, outcome: Outcome, actor: string): Promise<Settled> =>
  retrying(
    async () => {
      const loaded = await loadOrder(merchant, payment.order)
      const now = timestamp(Date.now())
      const after = settledPayment(payment, outcome)
      const isPaid = outcome.status === 'captured'
      const effect = applyEvent(loaded.order, loaded.numbers, isPaid ? 'payment_completed' : 'payment_pending', {
        now,
        actor,
        ...(isPaid && { payment: paymentDocument(after, now) }),
      })
      if ('refused' in effect) {
        if (isPaid) await markRefund(merchant, payment, outcome.capture_id)
        throw new Problem(effect.refused === 'not_in_this_status' ? 'order_not_cancellable' : effect.refused)
      }
      const changes = 'order' in effect ? changeActions(merchant, loaded, effect) : []
      await transact([paymentAction(merchant, payment, after), ...changes])
      return { order: 'order' in effect ? effect.order : loaded.order, first: loaded.firstPart, payment: after }
    },
    // The payment is ours by its lease; only the order or the numbers can have moved.
    error => !error.failed('payment'),
    40,
  )

/** Whether what the provider took is what the order costs. */
export const isRightAmount = ({ amount, currency, customId }: PaymentView, payment: PaymentItem): boolean =>
  amount === payment.amount && currency === payment.currency && customId === payment.uuid
