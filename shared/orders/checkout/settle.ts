import { Problem } from '../../contract/errors.ts'
import { formatMoney } from '../../money.ts'
import { waitingKey } from '../../payments/record.ts'
import { equals } from '../../table/expressions.ts'
import type { PaymentItem } from '../../table/items.ts'
import { key, type MerchantId } from '../../table/keys.ts'
import { updateItem } from '../../table/table.ts'
import { type Action, put, transact } from '../../table/transact.ts'
import { timestamp } from '../../time.ts'
import { changeActions, loadOrder, type StoredOrder } from '../store.ts'
import { applyEvent } from '../transitions.ts'
import { inTurn } from '../turns.ts'
import type { Captured } from './capture.ts'

/** What a settled payment did to its order. */
export type Settled = StoredOrder & { payment: PaymentItem }

/** Money that arrived, as it stands under an order's documents. */
const paymentDocument = ({ uuid, type, amount, currency, external_id, payer_id }: PaymentItem, now: string) => ({
  uuid,
  payment_type: type,
  amount: formatMoney(amount),
  currency,
  external_id,
  payer_id,
  crstamp: now,
})

const paymentAction = (merchant: MerchantId, before: PaymentItem, after: PaymentItem): Action =>
  put('payment', key('payment', { merchant, uuid: before.uuid }), after, {
    when: [equals('status', before.status), equals('lease', before.lease)],
    // The sweep asks for money that is on its way.
    ...(after.status === 'pending' && { index: waitingKey('open', after.crstamp) }),
  })

/** Captured money of an order that cannot take it is kept in mind until it is paid back. */
const markRefund = async (merchant: MerchantId, { uuid, crstamp }: PaymentItem, captureId: string | null) => {
  await updateItem(key('payment', { merchant, uuid }), {
    set: { status: 'refund_due', capture_id: captureId, lease: 0 },
    index: waitingKey('refund', crstamp),
  })
}

/**
 * Writes what the provider did with a claimed payment: payment, order and documents in one transaction. Throws
 * order_cancelled after marking the money for refund when the order was cancelled meanwhile.
 */
export const settlePayment = (
  merchant: MerchantId,
  payment: PaymentItem,
  { status, captureId }: Captured,
  actor: string,
): Promise<Settled> =>
  inTurn(
    { merchant, counter: 'invoices' },
    async turn => {
      const loaded = await loadOrder(merchant, payment.order)
      const now = timestamp(Date.now())
      const after: PaymentItem = { ...payment, status, capture_id: captureId, lease: 0 }
      const isPaid = status === 'captured'
      const effect = applyEvent(loaded.order, loaded.numbers, isPaid ? 'payment_completed' : 'payment_pending', {
        now,
        actor,
        ...(isPaid && { payment: paymentDocument(after, now) }),
      })
      if ('refused' in effect) {
        if (isPaid) await markRefund(merchant, payment, captureId)
        throw new Problem(effect.refused === 'not_in_this_status' ? 'order_not_cancellable' : effect.refused)
      }
      const changes = 'order' in effect ? changeActions(merchant, loaded, effect, turn) : []
      await transact([paymentAction(merchant, payment, after), ...changes])
      const order = 'order' in effect ? effect.order : loaded.order
      return { order, firstPart: loaded.firstPart, payment: after }
    },
    // The payment is ours by its lease; only the order or the numbers can have moved.
    error => !error.failed('payment'),
  )
