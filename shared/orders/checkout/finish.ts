import { Problem } from '../../contract/errors.ts'
import type { Finish, Order, Payment } from '../../contract/orders.ts'
import { providerFor } from '../../payments/merchant-provider.ts'
import type { PaymentView, Provider } from '../../payments/provider.ts'
import { type PaymentItem, paymentView, requestIdOf } from '../../payments/record.ts'
import type { MerchantId } from '../../table/keys.ts'
import { answerOf, loadOrder } from '../load.ts'
import { orderIdOf } from '../store.ts'
import { type Claimed, claimPayment, releasePayment } from './claim.ts'
import { isRightAmount, settle } from './settle.ts'

/** What finishing answers. */
export type Finished = { data: Order; payment: Payment }

const either = (name: string, one: string | null | undefined, other: string | null | undefined): string => {
  if (one && other && one !== other) {
    throw new Problem('identifier_conflict', { details: `${name}_id and ${name}_uuid name different ${name}s` })
  }
  const found = one ?? other
  if (!found) throw new Problem('missing_identifier', { details: `${name}_id is required` })
  return found
}

/** Takes the money. A try whose outcome is unknown is looked up first, for it may have succeeded. */
export const takeMoney = async (provider: Provider, { payment, repeated }: Claimed): Promise<PaymentView> => {
  const externalId = payment.external_id ?? ''
  if (repeated) {
    const view = await provider.inspect(externalId)
    if (view.state === 'captured' || view.state === 'pending') return view
  }
  return provider.capture(externalId, requestIdOf(payment.uuid, 'take'))
}

/** The order a settled payment belongs to, answered as the first finish was. */
const replay = async (merchant: MerchantId, payment: PaymentItem): Promise<Finished> => {
  if (payment.status === 'review') throw new Problem('amount_mismatch')
  const { order, firstPart } = await loadOrder(merchant, payment.order)
  if (order.header.status === 'cancelled') throw new Problem('order_cancelled')
  if (payment.status !== 'captured') throw new Problem('payment_not_approved')
  return { data: await answerOf(merchant, order, firstPart), payment: paymentView(payment) }
}

const capture = async (merchant: MerchantId, claimed: Claimed, actor: string): Promise<Finished> => {
  const { payment } = claimed
  let view: PaymentView
  try {
    view = await takeMoney(await providerFor(merchant), claimed)
  } catch (error) {
    // Whether the money was taken is not known; the next try asks first.
    await releasePayment(merchant, payment, 'capturing')
    throw error
  }
  if (view.state === 'declined' || view.state === 'cancelled') {
    await releasePayment(merchant, payment, 'declined')
    throw new Problem('payment_declined')
  }
  if (view.state === 'open' || view.state === 'approved') {
    await releasePayment(merchant, payment, 'open')
    throw new Problem('payment_not_approved')
  }
  if (!isRightAmount(view, payment)) {
    await releasePayment(merchant, payment, 'review')
    throw new Problem('amount_mismatch')
  }
  const {
    order,
    first,
    payment: settled,
  } = await settle(merchant, payment, { status: view.state, capture_id: view.captureId }, actor)
  return { data: await answerOf(merchant, order, first), payment: paymentView(settled) }
}

/** Why a payment is not the order's: there is no such order, it is settled by another one, or the ids are wrong. */
const mismatch = async (merchant: MerchantId, uuid: string, problem: unknown): Promise<never> => {
  if (!(problem instanceof Problem) || problem.word !== 'payment_mismatch') throw problem
  const { order } = await loadOrder(merchant, await orderIdOf(merchant, { uuid }))
  if (order.header.status === 'cancelled') throw new Problem('order_cancelled')
  throw order.header.paid ? new Problem('order_paid') : problem
}

/**
 * Finishes an order that was paid externally: claims the payment, takes the money at the provider, and moves order,
 * payment and documents in one transaction. The request's values only select and compare. Throws the contract's refusals.
 */
export const finishOrder = async (merchant: MerchantId, request: Finish, actor: string): Promise<Finished> => {
  const payment = either('payment', request.payment_id, request.payment_uuid)
  const order = either('order', request.order_id, request.order_uuid)
  const { payment_type: type, external_id: externalId, payer_id: payerId } = request
  const claim = { payment, order, type, externalId, payerId }
  const claimed = await claimPayment(merchant, claim).catch(problem => mismatch(merchant, order, problem))
  return 'settled' in claimed ? replay(merchant, claimed.settled) : capture(merchant, claimed, actor)
}
