import { Problem } from '../../contract/errors.ts'
import type { Order } from '../../contract/orders.ts'
import { type PaymentItem, paymentOf, waiting } from '../../payments/record.ts'
import { equals, present } from '../../table/expressions.ts'
import { TransactionRefused } from '../../table/failures.ts'
import { type Key, key, type MerchantId } from '../../table/keys.ts'
import { getItem } from '../../table/table.ts'
import { type Action, retrying, transact } from '../../table/transact.ts'
import { timestamp } from '../../time.ts'
import { answerOf, changeActions, type LoadedOrder, loadOrder } from '../load.ts'
import { stockAction } from '../placing/place-actions.ts'
import type { OrderRecord } from '../record.ts'
import type { OrderEvent, Refusal } from '../states.ts'
import { type OrderIdentifier, orderIdOf } from '../store.ts'
import { applyEvent } from '../transitions.ts'
import { resolvePayment } from './resolve.ts'

/** Why a step is refused, in the contract's words. */
export const refusal = (refused: Refusal): Problem =>
  new Problem(refused === 'not_in_this_status' ? 'order_not_cancellable' : refused)

const stockActions = (merchant: MerchantId, { counted }: OrderRecord, uncounted: ReadonlySet<string>): Action[] =>
  counted.map(one => stockAction(merchant, one, 'return')).filter(({ name }) => !uncounted.has(name))

const basketAction = (merchant: MerchantId, { basket, header }: OrderRecord, isGone: boolean): Action[] =>
  basket && !isGone
    ? [
        {
          name: 'basket',
          key: key('basket', { merchant, uuid: basket }),
          when: [present],
          update: { remove: ['ordered'], set: { cancelled: header.uuid } },
        },
      ]
    : []

/** A payment that nobody is capturing goes with its order. One that is being captured decides first. */
const paymentAction = (merchant: MerchantId, { payment, header }: OrderRecord): Action[] =>
  payment
    ? [
        {
          name: 'payment',
          key: key('payment', { merchant, uuid: payment }),
          when: [{ anyOf: ['created', 'open', 'declined', 'pending'].map(status => equals('status', status)) }],
          // Money may be on its way all the same: the sweep asks the provider once more.
          update: { set: { status: 'cancelled', by: waiting('refund', header.crstamp) } },
        },
      ]
    : []

const cancelLoaded = async (
  merchant: MerchantId,
  loaded: LoadedOrder,
  event: OrderEvent,
  actor: string,
  gone: ReadonlySet<string>,
): Promise<OrderRecord> => {
  const { order, numbers } = loaded
  const effect = applyEvent(order, numbers, event, { now: timestamp(Date.now()), actor })
  if ('unchanged' in effect) return order
  if ('refused' in effect) throw refusal(effect.refused)
  await transact([
    ...changeActions(merchant, loaded, effect),
    ...stockActions(merchant, order, gone),
    ...basketAction(merchant, order, gone.has('basket')),
    ...paymentAction(merchant, order),
  ])
  return effect.order
}

/**
 * Somebody's capture stands in the way. While its time runs, the caller must wait; after that, the provider says
 * whether there is money: then the order is paid, else the payment is free to be cancelled.
 */
const resolveCapture = async (merchant: MerchantId, uuid: string, actor: string): Promise<void> => {
  const payment = await getItem<PaymentItem & Key>(key('payment', { merchant, uuid }))
  if (payment?.status === 'captured') throw new Problem('order_paid')
  // Money of a wrong amount wants a person to look at it; nobody else may decide what becomes of the order.
  if (payment?.status === 'review') throw new Problem('order_not_cancellable')
  if (!payment || (await resolvePayment(merchant, paymentOf(payment), actor)) === 'paid')
    throw new Problem('order_paid')
}

/** Somebody began to capture once more, after the provider was asked. */
const stillInTheWay = (error: unknown): never => {
  if (!(error instanceof TransactionRefused) || !error.failed('payment')) throw error
  throw new Problem('payment_in_progress', { headers: { 'retry-after': '2' } })
}

/**
 * Cancels an order by an event: stock, basket and payment go back in the same transaction, an invoice gets its credit
 * advice. An order that is cancelled already stays as it is. Throws order_paid, order_not_cancellable or
 * payment_in_progress.
 */
export const cancelById = async (merchant: MerchantId, id: number, event: OrderEvent, actor: string) => {
  // Stock that is not counted any more, and a basket that is forgotten, have nothing to be given back.
  const gone = new Set<string>()
  let loaded: LoadedOrder | undefined
  const cancel = () =>
    retrying(
      async () => {
        loaded = await loadOrder(merchant, id)
        return cancelLoaded(merchant, loaded, event, actor, gone)
      },
      error => {
        for (const name of Object.keys(error.reasons)) {
          if ((name.startsWith('stock ') || name === 'basket') && error.failed(name)) gone.add(name)
        }
        return !error.failed('payment') || error.failed('order')
      },
      40,
    )
  const order = await cancel().catch(async error => {
    const payment = loaded?.order.payment
    if (!(error instanceof TransactionRefused) || !error.failed('payment') || !payment) throw error
    await resolveCapture(merchant, payment, actor)
    return cancel().catch(stillInTheWay)
  })
  return { order, first: (loaded as unknown as LoadedOrder).firstPart }
}

/** Cancels the order that is named. Throws order_not_found and what cancelById throws. */
export const cancelOrder = async (merchant: MerchantId, named: OrderIdentifier, actor: string): Promise<Order> => {
  const { order, first } = await cancelById(merchant, await orderIdOf(merchant, named), 'cancel', actor)
  return answerOf(merchant, order, first)
}
