import { randomUUID } from 'node:crypto'
import type { Order } from '../contract/records/order.ts'
import { readPayment } from '../payments/record.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import { transact } from '../platform/table/transact.ts'
import { type Cents, formatMoney, totalCents } from '../values/money.ts'
import { timestamp } from '../values/time.ts'
import { detachPayment, PaymentConflict } from './checkout/cancel.ts'
import { reconcileSoon } from './checkout/reconcile.ts'
import { applyEvent } from './documents.ts'
import { withNumbers } from './numbering/numbers.ts'
import { type OrderRecord, payingPaymentOf, type Shipping } from './record.ts'
import type { OrderEvent } from './states.ts'
import { refusedEvent, refusedReturn, refusedStep, StepRefused } from './step-refused.ts'
import { changeActions, loadOrder, type OrderIdentifier, orderIdOf, type StoredOrder } from './store.ts'
import { writtenOrder } from './view.ts'

/** The merchant's steps of an order, and their events. */
export const steps = {
  paid: 'money_received',
  pack: 'pack',
  ship: 'ship',
  close: 'close',
} as const satisfies Record<string, OrderEvent>

/** The total of an order, less its credits. */
const amountDue = ({ header, documents }: OrderRecord): Cents =>
  documents.creditAdvices.reduce((due, { gross }) => due - totalCents(gross), totalCents(header.gross))

const moneyReceived = (order: OrderRecord, now: string) => ({
  uuid: randomUUID(),
  payment_type: order.header.payment_type,
  amount: formatMoney(amountDue(order)),
  currency: 'EUR',
  external_id: null,
  payer_id: null,
  crstamp: now,
})

const refuseConflict =
  (order: OrderRecord) =>
  (error: unknown): never => {
    if (!(error instanceof PaymentConflict)) throw error
    throw new StepRefused(`the provider's payment of order ${order.header.id} is ${error.payment.status}`, order)
  }

/** Throws payment_refunded if money went back and the merchant has not decided about it. */
const checkMoney = async (merchant: MerchantId, order: OrderRecord, uuid: string): Promise<void> => {
  const payment = await readPayment(merchant, uuid)
  if (payment && payment.undecided > 0) throw refusedReturn(order, payment)
}

type Details = Partial<Shipping> & { remark?: string | null; isNamed?: boolean }

/** The carrier and tracking of a shipped order: those given, else those it has. Throws StepRefused if the buyer collects it. */
const shippingOf = (order: OrderRecord, event: OrderEvent, { carrier = null, tracking = null }: Details) => {
  if (event !== 'ship' || (carrier === null && tracking === null)) return {}
  if (order.header.delivery_type === 'none')
    throw refusedStep(order, 'the buyer collects it, without carrier and tracking')
  const note = order.documents.deliveryNotes.at(-1)
  return { shipping: { carrier: carrier ?? note?.carrier ?? null, tracking: tracking ?? note?.tracking ?? null } }
}

/** Makes a step; see advanceOrder. Returns the order with the beginning of its sold lines. */
const advance = (
  merchant: MerchantId,
  id: number,
  event: OrderEvent,
  actor: string,
  details: Details = {},
): Promise<StoredOrder> => {
  let isAsked = false
  const attempt = async (): Promise<StoredOrder> => {
    const loaded = await loadOrder(merchant, id, details.isNamed)
    const { order, firstPart } = loaded
    const now = timestamp(Date.now())
    const effect = applyEvent(order, loaded.numbers, event, {
      ...{ now, actor, merchant: loaded.merchant, remark: details.remark ?? null },
      ...(event === 'money_received' && { payment: moneyReceived(order, now) }),
      ...shippingOf(order, event, details),
    })
    if ('unchanged' in effect) return loaded
    if ('refused' in effect) throw refusedEvent(order, effect.refused, event)
    if (event === 'money_received' && order.credited === 'whole') throw refusedStep(order, 'nothing is due')
    const isSent = event === 'ship' && order.header.status !== effect.order.header.status
    const paying = isSent ? payingPaymentOf(order) : undefined
    if (paying && !isAsked) {
      isAsked = true
      // The provider's answer may change the order.
      await reconcileSoon(merchant, paying, actor)
      return attempt()
    }
    // Money that goes back after this read changes the order as well, so that the transaction below is refused.
    if (paying) await checkMoney(merchant, order, paying)
    // Money that the provider takes as well is refunded.
    const left = event === 'money_received' ? await detachPayment(merchant, order).catch(refuseConflict(order)) : []
    await transact([...changeActions(merchant, loaded, effect), ...left])
    return { order: effect.order, firstPart }
  }
  return withNumbers({ attempt })
}

/**
 * Makes a manual step of an order (money received, packed, shipped, closed), with the documents that it causes; a step that
 * was made before changes nothing but carrier and tracking. Throws order_not_found, or StepRefused if the status does not
 * allow it or the money went back.
 */
export const advanceOrder = async (...step: Parameters<typeof advance>): Promise<OrderRecord> =>
  (await advance(...step)).order

/** The same for an identified order, by the merchant's name of the step. Also throws what orderIdOf throws. */
export const advanceIdentified = async (
  merchant: MerchantId,
  { event, ...step }: OrderIdentifier & { event: keyof typeof steps } & Omit<Details, 'isNamed'>,
  actor: string,
): Promise<Order> => {
  const id = await orderIdOf(merchant, step)
  const { carrier = null, tracking = null, remark = null } = step
  const details = { carrier, tracking, remark, isNamed: Boolean(step.uuid) }
  return writtenOrder(merchant, await advance(merchant, id, steps[event], actor, details))
}
