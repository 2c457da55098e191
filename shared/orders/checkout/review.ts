import { Problem } from '../../contract/errors.ts'
import { isProviderFailure } from '../../payments/provider-failure.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { amountTakenOf, needsReview, tryChangePayment } from '../../payments/record.ts'
import { ConditionFailed, TransactionRefused } from '../../platform/table/failures.ts'
import type { PaymentItem, PaymentStatus } from '../../platform/table/items.ts'
import { indexKeyPrefix, key, type MerchantId, partition } from '../../platform/table/keys.ts'
import { getItem, query } from '../../platform/table/table.ts'
import { StepRefused } from '../advance.ts'
import type { OrderRecord } from '../record.ts'
import { readOrder } from '../store.ts'
import { cancelById } from './cancel.ts'
import { type ReconcileResult, reconcilePayment } from './reconcile.ts'
import { acceptReturn } from './returned.ts'
import { recordPayment } from './settle.ts'

/** A payment of an order. */
export const readPayment = (merchant: MerchantId, uuid: string): Promise<PaymentItem | undefined> =>
  getItem(key('payment', { merchant, uuid }))

const waitingFor = (merchant: MerchantId, task: 'look' | 'review'): Promise<PaymentItem[]> =>
  query({ pk: partition('payment', { merchant }), indexed: true, prefix: indexKeyPrefix('payment', { task }) })

/** A merchant's payments that are not settled: those that are looked after again, and those that want a person. */
export const unsettledPayments = async (
  merchant: MerchantId,
): Promise<{ waiting: PaymentItem[]; review: PaymentItem[] }> => ({
  waiting: await waitingFor(merchant, 'look'),
  review: await waitingFor(merchant, 'review'),
})

type Decidable = { order: OrderRecord; payment: PaymentItem }

const taken: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>(['captured', 'refunded_in_part', 'refunded'])

/** Whether an order is paid, and by this payment. */
const isPaidBy = ({ order: { header, documents }, payment: { uuid, status } }: Decidable): boolean =>
  header.paid && taken.has(status) && documents.payments.some(one => one.uuid === uuid)

/** An order about whose payment a person can decide. Throws StepRefused when there is nothing to decide. */
const readDecidable = async (
  merchant: MerchantId,
  id: number,
  isDecidable: (one: Decidable) => boolean,
): Promise<Decidable> => {
  const { order } = await readOrder(merchant, id)
  const payment = order.payment ? await readPayment(merchant, order.payment) : undefined
  if (payment && isDecidable({ order, payment })) return { order, payment }
  const state = payment ? `its payment is ${payment.status}` : 'it has no payment at a provider'
  throw new StepRefused(`nobody has to decide about order ${id}: ${state}`)
}

/** Decides about a payment. Throws StepRefused when somebody else did at the same moment, or when more money went back. */
const deciding = async <T>(readAgain: () => Promise<Decidable>, decide: () => Promise<T>): Promise<T> => {
  try {
    return await decide()
  } catch (error) {
    const isRace = error instanceof ConditionFailed || error instanceof TransactionRefused
    if (!isRace && !(error instanceof Problem)) throw error
    const { payment } = await readAgain()
    if (!isRace) throw error
    throw new StepRefused(
      `the payment of order ${payment.order} changed at the same moment: look at it, and decide again`,
    )
  }
}

/** Why there is no money to be accepted, as far as the provider can be asked; undefined when there may be some. */
const whyNoMoney = async (merchant: MerchantId, payment: PaymentItem): Promise<string | undefined> => {
  try {
    const provider = await providerOfPayment(merchant, payment)
    const { state } = await provider.inspect(payment.external_id ?? '')
    // The person may know of what the provider does not, or does not tell.
    if (state === 'captured' || state === 'missing') return undefined
    return state === 'pending'
      ? 'is still on its way: decide when it is there, or give it back'
      : `is not at the provider, where the payment is ${state}: give it back, then the order is cancelled`
  } catch (error) {
    if (isProviderFailure(error)) return undefined
    throw error
  }
}

/**
 * Takes what the provider took as the payment of the order, by a person's decision, or leaves the order as it is though its
 * money went back. Throws order_not_found, or StepRefused when there is nothing to decide, the money is not there, or the
 * order is cancelled.
 */
export const acceptPayment = async (merchant: MerchantId, id: number, actor: string): Promise<OrderRecord> => {
  const read = () => readDecidable(merchant, id, ({ payment }) => needsReview(payment))
  const { order, payment } = await read()
  if (order.header.status === 'cancelled') throw new StepRefused(`order ${id} is cancelled: its money can only go back`)
  if (payment.returned) return deciding(read, () => acceptReturn(merchant, payment, actor))
  const why = await whyNoMoney(merchant, payment)
  if (why) throw new StepRefused(`the money of order ${id} ${why}`)
  const accept = () => recordPayment(merchant, payment, { ...payment, status: 'captured' }, actor)
  return (await deciding(read, accept)).order
}

/** Gives back what an order does not need: it is cancelled, or paid by other means. */
const giveBack = async (
  merchant: MerchantId,
  payment: PaymentItem,
  givesBack: 'at the provider' | 'by hand',
): Promise<void> => {
  const byHand = { status: 'refunded', refunded: amountTakenOf(payment) } as const
  // A provider answers a repeated request with its first refusal.
  const again = { status: 'refund_due', failed_refunds: payment.failed_refunds + 1 } as const
  const set = givesBack === 'by hand' ? byHand : again
  await tryChangePayment(merchant, payment, set)
}

/**
 * Gives back what the provider took, by a person's decision, and cancels the order; `by hand` when the person has done
 * it already. What went back at the provider before is not asked for again. Throws order_not_found, order_not_cancellable,
 * StepRefused when there is nothing to decide, or what the provider throws; the sweep goes on then.
 */
export const refundPayment = async (
  merchant: MerchantId,
  id: number,
  actor: string,
  givesBack: 'at the provider' | 'by hand' = 'at the provider',
): Promise<ReconcileResult> => {
  const read = () => readDecidable(merchant, id, one => needsReview(one.payment) || isPaidBy(one))
  const decidable = await read()
  const { payment } = decidable
  const { status, paid } = decidable.order.header
  const isPaid = isPaidBy(decidable)
  if (status === 'cancelled' || (paid && !isPaid)) await giveBack(merchant, payment, givesBack)
  else {
    const event = isPaid ? 'refund' : 'cancel'
    await deciding(read, () => cancelById(merchant, id, { event, actor, givesBack }))
  }
  return reconcilePayment(merchant, payment.uuid, { actor })
}

/** Cancels an order by the merchant's hand; one whose money went back although it is paid. */
export const cancelManually = async (merchant: MerchantId, id: number, actor: string): Promise<void> => {
  const { order } = await readOrder(merchant, id)
  const payment = order.payment ? await readPayment(merchant, order.payment) : undefined
  if (payment?.returned && order.header.paid) await refundPayment(merchant, id, actor)
  else await cancelById(merchant, id, { event: 'cancel', actor })
}
