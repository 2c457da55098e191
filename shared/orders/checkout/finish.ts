import type { Finish } from '../../contract/checkout.ts'
import { Problem } from '../../contract/errors.ts'
import type { Order, Payment } from '../../contract/records/order.ts'
import { paymentView } from '../../payments/record.ts'
import { untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem, PaymentStatus } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { formatMoney } from '../../values/money.ts'
import { readIdentified, readOrder, type StoredOrder } from '../store.ts'
import { writtenOrder } from '../view.ts'
import type { CaptureFailure } from './capture.ts'
import { type SettledOrder, type TakeOptions, takePayment } from './settle.ts'

/** A finished order with its payment. */
export type FinishResult = { data: Order; payment: Payment }

const either = (name: string, one: string | null | undefined, other: string | null | undefined): string => {
  if (one && other && one !== other) {
    throw new Problem('identifier_conflict', { details: `${name}_id and ${name}_uuid name different ${name}s` })
  }
  const found = one ?? other
  if (!found) throw new Problem('missing_identifier', { details: `${name}_id is required` })
  return found
}

// Another finish, or the sweep, is mostly done within this time; then its outcome is this one's.
const patienceMilliseconds = 5000

/** Throws payment_mismatch unless the stored payment is what the request says, its payer included once that is known. */
const checkMeant =
  (request: Finish, order: string) =>
  (stored: PaymentItem | undefined): PaymentItem => {
    const isMeant =
      stored?.order_uuid === order &&
      stored.type === request.payment_type &&
      stored.external_id === request.external_id &&
      (stored.payer_id === null || stored.payer_id === request.payer_id)
    if (isMeant) return stored
    throw new Problem('payment_mismatch')
  }

/** Why a payment is not the order's: there is no such order, it is settled by another one, or the ids are wrong. */
const explainMismatch = async (merchant: MerchantId, uuid: string, problem: unknown): Promise<never> => {
  if (!(problem instanceof Problem) || problem.word !== 'payment_mismatch') throw problem
  const { order } = await readIdentified(merchant, { uuid }, id => readOrder(merchant, id))
  if (order.header.status === 'cancelled') throw new Problem('order_cancelled')
  throw order.header.paid ? new Problem('order_paid') : problem
}

const givenBack: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>([
  'cancelled',
  'refund_due',
  'refund_pending',
  'refunded',
])

const showsPayment = ({ order }: StoredOrder, payment: PaymentItem): boolean =>
  order.documents.payments.some(({ uuid }) => uuid === payment.uuid)

/** The order of a payment; undefined while it does not show that the payment was captured, which wrote both. */
const readSettled = async (merchant: MerchantId, payment: PaymentItem): Promise<StoredOrder | undefined> => {
  const stored = await readOrder(merchant, payment.order)
  return payment.status !== 'captured' || showsPayment(stored, payment) ? stored : undefined
}

/** What a payment that wants a person to decide says to the buyer. */
const reviewed = ({ taken, amount }: Pick<PaymentItem, 'taken' | 'amount'>): Problem => {
  const what = taken ? `The provider took ${formatMoney(taken.amount)} ${taken.currency}` : 'What was paid is not clear'
  const details = `${what}; the order costs ${formatMoney(amount)} EUR. The merchant accepts the payment or gives it back.`
  return new Problem('amount_mismatch', { details })
}

/** Why an order is not finished, in the contract's words. */
const refusalOf = (found: CaptureFailure, { amount }: PaymentItem): Problem => {
  if (found.status === 'review') return reviewed({ taken: found.taken, amount })
  if (found.status === 'mismatch') return new Problem('amount_mismatch')
  if (found.status === 'open' || found.status === 'approved') return new Problem('payment_not_approved')
  const why = found.reason && `The payment was declined: ${found.reason}.`
  return new Problem('payment_declined', why ? { details: why } : {})
}

/** The order of a payment that is settled already, as the first finish left it. Throws why it is not the order's. */
const settledBefore = async (merchant: MerchantId, payment: PaymentItem): Promise<SettledOrder> => {
  const stored = await untilShown(() => readSettled(merchant, payment))
  const { header } = stored.order
  if (header.status === 'cancelled') throw new Problem('order_cancelled')
  if (payment.status === 'review') throw reviewed(payment)
  if (showsPayment(stored, payment)) return { ...stored, payment }
  if (header.paid || givenBack.has(payment.status)) throw new Problem('order_paid')
  throw new Problem('payment_not_approved')
}

/** Takes the money of a payment, or returns what was settled before. Throws why there is no money, in the contract's words. */
export const finishPayment = async (
  merchant: MerchantId,
  uuid: string,
  taking: Omit<TakeOptions, 'takes'>,
): Promise<SettledOrder> => {
  const taken = await takePayment(merchant, uuid, { ...taking, takes: () => true })
  if (taken.was === 'unpaid') throw refusalOf(taken.found, taken.payment)
  return taken.was === 'settled' ? settledBefore(merchant, taken.payment) : taken.settled
}

/**
 * Finishes an order that was paid externally: claims the payment, takes the money at the provider, and moves order,
 * payment and documents in one transaction. The request's values only select and compare. Throws the contract's refusals.
 */
export const finishOrder = async (merchant: MerchantId, request: Finish, actor: string): Promise<FinishResult> => {
  const uuid = either('payment', request.payment_id, request.payment_uuid)
  const order = either('order', request.order_id, request.order_uuid)
  const settled = await finishPayment(merchant, uuid, {
    ...{ actor, check: checkMeant(request, order), payerId: request.payer_id, patience: patienceMilliseconds },
  }).catch(problem => explainMismatch(merchant, order, problem))
  return { data: await writtenOrder(merchant, settled), payment: paymentView(settled.payment) }
}
