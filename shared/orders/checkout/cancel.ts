import { Problem } from '../../contract/errors.ts'
import type { Order } from '../../contract/records/order.ts'
import { waitingKey } from '../../payments/record.ts'
import { oneOf, present } from '../../table/expressions.ts'
import { TransactionRefused } from '../../table/failures.ts'
import { key, type MerchantId } from '../../table/keys.ts'
import { getItem } from '../../table/table.ts'
import { type Action, transact, update } from '../../table/transact.ts'
import { timestamp } from '../../time.ts'
import type { Turn } from '../numbers.ts'
import type { OrderRecord } from '../record.ts'
import type { OrderEvent, Refusal } from '../states.ts'
import { returnStock } from '../stock.ts'
import {
  changeActions,
  type LoadedOrder,
  loadOrder,
  type OrderIdentifier,
  orderIdOf,
  type StoredOrder,
} from '../store.ts'
import { applyEvent } from '../transitions.ts'
import { inTurn } from '../turns.ts'
import { writtenOrder } from '../view.ts'
import { resolvePayment } from './resolve.ts'

/** Why a step is refused, in the contract's words. */
const refusal = (refused: Refusal): Problem =>
  new Problem(refused === 'not_in_this_status' ? 'order_not_cancellable' : refused)

const stockActions = (merchant: MerchantId, { counted }: OrderRecord, uncounted: ReadonlySet<string>): Action[] =>
  counted.map(one => returnStock(merchant, one)).filter(({ name }) => !uncounted.has(name))

const basketActions = (merchant: MerchantId, { basket, header }: OrderRecord, isGone: boolean): Action[] => {
  if (!basket || isGone) return []
  const change = { remove: ['ordered'], set: { cancelled: header.uuid } } as const
  return [update('basket', key('basket', { merchant, uuid: basket }), change, [present])]
}

/** A payment that nobody is capturing goes with its order. One that is being captured decides first. */
const paymentActions = (merchant: MerchantId, { payment, header }: OrderRecord): Action[] => {
  if (!payment) return []
  // Money may be on its way all the same: the sweep asks the provider once more.
  const change = { set: { status: 'cancelled' }, index: waitingKey('refund', header.crstamp) } as const
  const free = oneOf('status', ['created', 'open', 'declined', 'pending'])
  return [update('payment', key('payment', { merchant, uuid: payment }), change, [free])]
}

const cancelLoaded = async (
  merchant: MerchantId,
  loaded: LoadedOrder,
  event: OrderEvent,
  actor: string,
  gone: ReadonlySet<string>,
  turn: Turn,
): Promise<OrderRecord> => {
  const { order, numbers } = loaded
  const effect = applyEvent(order, numbers, event, { now: timestamp(Date.now()), actor })
  if ('unchanged' in effect) return order
  if ('refused' in effect) throw refusal(effect.refused)
  await transact([
    ...changeActions(merchant, loaded, effect, turn),
    ...stockActions(merchant, order, gone),
    ...basketActions(merchant, order, gone.has('basket')),
    ...paymentActions(merchant, order),
  ])
  return effect.order
}

/**
 * Somebody's capture stands in the way. While its time runs, the caller must wait; after that, the provider says
 * whether there is money: then the order is paid, else the payment is free to be cancelled.
 */
const resolveCapture = async (merchant: MerchantId, uuid: string, actor: string): Promise<void> => {
  const payment = await getItem(key('payment', { merchant, uuid }))
  if (payment?.status === 'captured') throw new Problem('order_paid')
  // Money of a wrong amount wants a person to look at it; nobody else may decide what becomes of the order.
  if (payment?.status === 'review') throw new Problem('order_not_cancellable')
  if (!payment || (await resolvePayment(merchant, payment, actor)) === 'paid') throw new Problem('order_paid')
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
export const cancelById = async (
  merchant: MerchantId,
  id: number,
  event: OrderEvent,
  actor: string,
): Promise<StoredOrder> => {
  // Stock that is not counted any more, and a basket that is forgotten, have nothing to be given back.
  const gone = new Set<string>()
  let payment: string | null = null
  const cancel = () =>
    inTurn(
      { merchant, counter: 'creditAdvices' },
      async turn => {
        const loaded = await loadOrder(merchant, id)
        payment = loaded.order.payment
        return { order: await cancelLoaded(merchant, loaded, event, actor, gone, turn), firstPart: loaded.firstPart }
      },
      error => {
        for (const name of Object.keys(error.reasons)) {
          if ((name.startsWith('stock ') || name === 'basket') && error.failed(name)) gone.add(name)
        }
        return !error.failed('payment') || error.failed('order')
      },
    )
  return cancel().catch(async error => {
    if (!(error instanceof TransactionRefused) || !error.failed('payment') || !payment) throw error
    await resolveCapture(merchant, payment, actor)
    return cancel().catch(stillInTheWay)
  })
}

/** Cancels the order that is identified. Throws order_not_found and what cancelById throws. */
export const cancelOrder = async (merchant: MerchantId, identifier: OrderIdentifier, actor: string): Promise<Order> =>
  writtenOrder(merchant, await cancelById(merchant, await orderIdOf(merchant, identifier), 'cancel', actor))
