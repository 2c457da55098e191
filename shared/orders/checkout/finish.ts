import { Problem } from '../../contract/errors.ts'
import type { Order, Payment } from '../../contract/records/order.ts'
import type { Finish } from '../../contract/routes/checkout.ts'
import type { Unpaid } from '../../payments/events.ts'
import { paymentView } from '../../payments/record.ts'
import { untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { formatMoney } from '../../values/money.ts'
import { showsPayment } from '../record.ts'
import { readIdentified, readOrder } from '../store.ts'
import { writtenOrder } from '../view.ts'
import type { SettledOrder } from './settle.ts'
import { type TakeOptions, takePayment } from './take-payment.ts'

// Another finish, or the sweep, is mostly done within this time; its outcome is then returned here as well.
const patienceMs = 5000

const sameIdentifier = (name: string, one: string | null | undefined, other: string | null | undefined): string => {
  if (one && other && one !== other) {
    throw new Problem('identifier_conflict', {
      details: `\`${name}_id\` and \`${name}_uuid\` identify different ${name}s.`,
    })
  }
  const found = one ?? other
  if (!found) throw new Problem('missing_identifier', { details: `\`${name}_id\` is required.` })
  return found
}

/** Throws payment_mismatch unless the stored payment matches the request; its payer too, once that is known. */
const checkMatch =
  (request: Finish, order: string) =>
  (stored: PaymentItem | undefined): PaymentItem => {
    if (!stored) throw new Problem('payment_mismatch', { because: 'there is no such payment' })
    const matches = {
      order: stored.order_uuid === order,
      type: stored.type === request.payment_type,
      external_id: stored.external_id === request.external_id,
      payer: stored.payer_id === null || stored.payer_id === request.payer_id,
    }
    const others = Object.entries(matches).flatMap(([name, isMatch]) => (isMatch ? [] : [name]))
    if (others.length === 0) return stored
    throw new Problem('payment_mismatch', { because: `the payment has another ${others.join(', ')}` })
  }

/** Throws the reason for a payment_mismatch: no such order, an order that is cancelled or paid, or else the mismatch. */
const explainMismatch = async (merchant: MerchantId, uuid: string, problem: unknown): Promise<never> => {
  if (!(problem instanceof Problem) || problem.word !== 'payment_mismatch') throw problem
  const { because } = problem
  const { order } = await readIdentified(merchant, { uuid }, id => readOrder(merchant, id))
  if (order.header.status === 'cancelled') throw new Problem('order_cancelled', { because })
  throw order.header.paid ? new Problem('order_paid', { because }) : problem
}

const inReview = ({ taken, amount }: Pick<PaymentItem, 'taken' | 'amount'>): Problem => {
  const what = taken ? `The provider took ${formatMoney(taken.amount)} ${taken.currency}` : 'The paid amount is unknown'
  const details = `${what}; the order costs ${formatMoney(amount)} EUR. The merchant will accept or refund the payment.`
  return new Problem('amount_mismatch', { details })
}

const captureProblem = (unpaid: Unpaid, { amount }: PaymentItem): Problem => {
  switch (unpaid.status) {
    case 'review':
      return inReview({ taken: unpaid.taken ?? null, amount })
    case 'other payer':
      return new Problem('payment_mismatch', { because: 'another payer approved it at the provider' })
    case 'mismatch':
      return new Problem('amount_mismatch', { because: 'the buyer approved another amount' })
    case 'open':
    case 'approved':
      return new Problem('payment_not_approved', { because: `the provider says ${unpaid.status}` })
    case 'declined':
    case 'unpayable': {
      const why = unpaid.reason && `The payment was declined: ${unpaid.reason}.`
      return new Problem('payment_declined', why ? { details: why } : {})
    }
  }
}

/** Returns the order of a payment that was captured before, as the first finish left it; throws why it is not paid by it. */
const settledBefore = async (merchant: MerchantId, payment: PaymentItem): Promise<SettledOrder> => {
  const stored = await untilShown(async () => {
    const read = await readOrder(merchant, payment.order)
    // The transaction that captured the payment wrote it under the order's documents, too.
    return payment.status !== 'captured' || showsPayment(read.order, payment.uuid) ? read : undefined
  })
  const { header } = stored.order
  const because = `the payment is ${payment.status}`
  if (header.status === 'cancelled') throw new Problem('order_cancelled', { because })
  if (payment.status === 'review') throw inReview(payment)
  if (showsPayment(stored.order, payment.uuid)) return { ...stored, payment }
  if (header.paid || payment.status === 'cancelled' || payment.status === 'unused')
    throw new Problem('order_paid', { because })
  throw new Problem('payment_not_approved', { because })
}

/** Takes the money of a payment, or returns the order it paid before. Throws the contract's reason if there is no money. */
export const finishPayment = async (
  merchant: MerchantId,
  uuid: string,
  options: Omit<TakeOptions, 'mayCapture'>,
): Promise<SettledOrder> => {
  const result = await takePayment(merchant, uuid, { ...options, mayCapture: () => true })
  if (result.status === 'unpaid') throw captureProblem(result.unpaid, result.payment)
  return result.status === 'not claimable' ? settledBefore(merchant, result.payment) : result.settled
}

/**
 * Finishes an order that was paid externally; the steps are in takePayment. The request's values only select the payment and
 * are compared with it: amounts and payer are the provider's. Throws the contract's refusals.
 */
export const finishOrder = async (
  merchant: MerchantId,
  request: Finish,
  actor: string,
): Promise<{ data: Order; payment: Payment }> => {
  const uuid = sameIdentifier('payment', request.payment_id, request.payment_uuid)
  const order = sameIdentifier('order', request.order_id, request.order_uuid)
  const settled = await finishPayment(merchant, uuid, {
    actor,
    check: checkMatch(request, order),
    payerId: request.payer_id,
    patience: patienceMs,
  }).catch(problem => explainMismatch(merchant, order, problem))
  return { data: await writtenOrder(merchant, settled), payment: paymentView(settled.payment) }
}
