import { Problem } from '../contract/errors.ts'
import type { Status } from '../contract/vocabulary.ts'
import { amountTakenOf, givenBackOf } from '../payments/refunds.ts'
import type { PaymentItem } from '../platform/table/items.ts'
import { formatMoney } from '../values/money.ts'
import type { OrderRecord } from './record.ts'
import type { OrderEvent, Refusal } from './states.ts'

/** A step or decision is not possible now. */
export class StepRefused extends Problem {
  /** `order` is refused; its status is in the answer as well. */
  constructor(
    details: string,
    order?: OrderRecord,
    word: 'not_in_this_status' | 'payment_refunded' = 'not_in_this_status',
  ) {
    super(word, { details, ...(order && { topLevel: { status: order.header.status } }) })
  }
}

const statusWords: Readonly<Record<Status, string>> = {
  new: 'new',
  need_payment: 'waiting for payment',
  payed: 'not yet packed',
  need_package: 'due for packing and shipping',
  in_delivery: 'shipped',
  closed: 'closed',
  cancelled: 'cancelled',
}

const stepWords: Partial<Record<OrderEvent, string>> = {
  pack: 'packed',
  ship: 'shipped',
  close: 'closed',
  credit: 'credited',
  credit_rest: 'credited',
}

const whyNot = (refusal: Refusal, event: OrderEvent): string => {
  if (refusal === 'order_cancelled') return 'nothing more can be done with it'
  if (refusal === 'payment_in_progress') return 'its checkout is not finished'
  return `it cannot be ${stepWords[event]} now`
}

/** The refusal of a step, with the order's status and the reason. */
export const refusedStep = (order: OrderRecord, why: string, word?: 'payment_refunded'): StepRefused => {
  const { id, status, paid } = order.header
  return new StepRefused(`order ${id} is ${statusWords[status]}${paid ? ', and paid' : ''}: ${why}`, order, word)
}

/** The refusal of an event, with the order's status. */
export const refusedEvent = (order: OrderRecord, refusal: Refusal, event: OrderEvent): StepRefused =>
  refusedStep(order, whyNot(refusal, event))

/** The refusal while money that went back at the provider waits for the merchant's decision. */
export const refusedReturn = (order: OrderRecord, payment: PaymentItem): StepRefused => {
  const back = `${formatMoney(givenBackOf(payment))} of ${formatMoney(amountTakenOf(payment))}`
  return refusedStep(order, `${back} went back: accept that, or cancel the order`, 'payment_refunded')
}
