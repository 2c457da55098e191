import type { Finish } from '../../contract/checkout.ts'
import { Problem } from '../../contract/errors.ts'
import type { Order, Payment } from '../../contract/records/order.ts'
import { paymentView } from '../../payments/record.ts'
import type { PaymentItem } from '../../table/items.ts'
import type { MerchantId } from '../../table/keys.ts'
import { orderIdOf, readOrder } from '../store.ts'
import { writtenOrder } from '../view.ts'
import { capturePayment } from './capture.ts'
import { claimPayment, type PaymentClaim } from './claim.ts'
import { type Settled, settlePayment } from './settle.ts'

/** A finished order with its payment. */
export type Finished = { data: Order; payment: Payment }

const either = (name: string, one: string | null | undefined, other: string | null | undefined): string => {
  if (one && other && one !== other) {
    throw new Problem('identifier_conflict', { details: `${name}_id and ${name}_uuid name different ${name}s` })
  }
  const found = one ?? other
  if (!found) throw new Problem('missing_identifier', { details: `${name}_id is required` })
  return found
}

const claimIn = (request: Finish): PaymentClaim => ({
  payment: either('payment', request.payment_id, request.payment_uuid),
  order: either('order', request.order_id, request.order_uuid),
  type: request.payment_type,
  externalId: request.external_id,
  payerId: request.payer_id,
})

/** Why a payment is not the order's: there is no such order, it is settled by another one, or the ids are wrong. */
const explainMismatch = async (merchant: MerchantId, uuid: string, problem: unknown): Promise<never> => {
  if (!(problem instanceof Problem) || problem.word !== 'payment_mismatch') throw problem
  const { order } = await readOrder(merchant, await orderIdOf(merchant, { uuid }))
  if (order.header.status === 'cancelled') throw new Problem('order_cancelled')
  throw order.header.paid ? new Problem('order_paid') : problem
}

/** The order of a payment that is settled already, as the first finish left it. */
const settledBefore = async (merchant: MerchantId, payment: PaymentItem): Promise<Settled> => {
  if (payment.status === 'review') throw new Problem('amount_mismatch')
  const { order, firstPart } = await readOrder(merchant, payment.order)
  if (order.header.status === 'cancelled') throw new Problem('order_cancelled')
  if (payment.status !== 'captured') throw new Problem('payment_not_approved')
  return { order, firstPart, payment }
}

/**
 * Finishes an order that was paid externally: claims the payment, takes the money at the provider, and moves order,
 * payment and documents in one transaction. The request's values only select and compare. Throws the contract's refusals.
 */
export const finishOrder = async (merchant: MerchantId, request: Finish, actor: string): Promise<Finished> => {
  const claim = claimIn(request)
  const claimed = await claimPayment(merchant, claim).catch(problem => explainMismatch(merchant, claim.order, problem))
  const settled =
    'settled' in claimed
      ? await settledBefore(merchant, claimed.settled)
      : await settlePayment(merchant, claimed.payment, await capturePayment(merchant, claimed), actor)
  return { data: await writtenOrder(merchant, settled), payment: paymentView(settled.payment) }
}
