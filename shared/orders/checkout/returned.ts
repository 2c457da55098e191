import type { PaymentStep } from '../../contract/records/order.ts'
import { outboxActions } from '../../events/outbox.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { existingPayment, needsReview, paymentAction, shownStatus } from '../../payments/record.ts'
import { amountTakenOf, changed, openRefunds } from '../../payments/refunds.ts'
import { setBy } from '../../payments/states.ts'
import { log } from '../../platform/log.ts'
import { retry } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { transact } from '../../platform/table/transact.ts'
import { type Cents, formatMoney } from '../../values/money.ts'
import { timestamp } from '../../values/time.ts'
import { type OrderRecord, withStep } from '../record.ts'
import { putOrder, readOrderVersion } from '../store.ts'

type MoneyStep = {
  event: 'payment_returned' | 'return_accepted' | 'refunded'
  actor: string
  /** The money that goes back with it, and how. */
  back?: { amount: Cents; state: PaymentStep['state'] }
}

/** Updates a payment that is unchanged since it was read, with a step in its order's history. */
export const changeWithStep = async (
  merchant: MerchantId,
  payment: PaymentItem,
  setFor: (order: OrderRecord) => Partial<PaymentItem>,
  { event, actor, back }: MoneyStep,
): Promise<OrderRecord> => {
  const { order, version } = await readOrderVersion(merchant, payment.order)
  const now = timestamp(Date.now())
  const money = back ? { uuid: payment.uuid, amount: formatMoney(-back.amount), state: back.state } : null
  const changed = { ...order, header: { ...order.header, chstamp: now } }
  const noted = withStep(changed, { at: now, event, actor, payment: money })
  await transact([
    paymentAction(merchant, payment, setFor(order)),
    putOrder(merchant, noted, version),
    ...outboxActions(merchant, noted, order.history.length),
  ])
  return noted
}

/** The result of a reconciliation after all refunds are over. */
export const resultOf = (payment: PaymentItem): 'paid' | 'refunded' | 'review' => {
  if (needsReview(payment)) return 'review'
  return shownStatus(payment) === 'refunded' ? 'refunded' : 'paid'
}

/**
 * Checks whether money of a paid order was refunded or charged back at the provider. What the merchant said to have refunded
 * there is over then; about the rest the merchant decides, unless the order is cancelled. `left` while refunds of this service
 * are not over. Throws what the provider throws.
 */
export const reconcileCaptured = (
  merchant: MerchantId,
  uuid: string,
  actor: string,
): Promise<'paid' | 'refunded' | 'review' | 'left'> =>
  retry(
    async () => {
      const payment = await existingPayment(merchant, uuid)
      // A credit since the caller's read: its refund may be made by now, and would count as a refund by others.
      if (openRefunds(payment).length > 0) return 'left'
      const isAllBack = payment.reported >= amountTakenOf(payment)
      if (payment.status !== 'captured' || isAllBack) return resultOf(payment)
      const provider = await providerOfPayment(merchant, payment)
      const view = await provider.inspect(payment.external_id)
      const setFor = (isOrderCancelled: boolean) => setBy(payment, { is: 'reported', view, isOrderCancelled })
      const { reported, returned = payment.returned } = setFor(false)
      if (reported === undefined) return resultOf(payment)
      const byOthers = returned - payment.returned
      const changeFor = ({ header }: OrderRecord) => setFor(header.status === 'cancelled')
      const expected = { amount: reported - payment.reported, state: 'refunded' } as const
      const noted = await changeWithStep(merchant, payment, changeFor, {
        actor,
        ...(byOthers > 0
          ? { event: 'payment_returned', back: { amount: byOthers, state: 'returned' } }
          : { event: 'refunded', back: expected }),
      })
      if (byOthers > 0)
        log.warn('paid order was refunded at the provider', { merchant, order: payment.order, refunded: reported })
      const after = changed(payment, changeFor(noted))
      return after.reported < (view.refunded ?? 0) ? reconcileCaptured(merchant, uuid, actor) : resultOf(after)
    },
    () => true,
  )

/** The same as changeWithStep, again while only the order was changed. Throws TransactionRefused if the payment was. */
export const changeTogether = (
  merchant: MerchantId,
  payment: PaymentItem,
  set: Partial<PaymentItem>,
  step: MoneyStep,
): Promise<OrderRecord> =>
  retry(
    () => changeWithStep(merchant, payment, () => set, step),
    error => !error.hasFailed('payment'),
  )
