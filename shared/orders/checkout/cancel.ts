import { Problem } from '../../contract/errors.ts'
import type { Order } from '../../contract/records/order.ts'
import type { GivesBack, Next } from '../../payments/events.ts'
import { ifUnchanged, paymentAction, readPayment, taskKey, taskKeyOf } from '../../payments/record.ts'
import { changed } from '../../payments/refunds.ts'
import { nextPayment } from '../../payments/states.ts'
import { type TransactionRefused, untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { type Action, check, remove, transact } from '../../platform/table/transact.ts'
import { timestamp } from '../../values/time.ts'
import { restOf, restockedBy } from '../credit/lines.ts'
import { applyEvent } from '../documents.ts'
import { withNumbers } from '../numbering/numbers.ts'
import type { OrderRecord } from '../record.ts'
import type { OrderEvent, Refusal } from '../states.ts'
import {
  changeActions,
  checkOwnOrder,
  type LoadedOrder,
  loadOrder,
  type OrderIdentifier,
  type OrderOwner,
  orderIdOf,
  reopenBasket,
  returnStocks,
  type StoredOrder,
  soldOf,
} from '../store.ts'
import { writtenOrder } from '../view.ts'
import { paymentInProgress, resolvePayment } from './take-payment.ts'

export type CancelOptions = {
  event: OrderEvent
  actor: string
  /** The only client whose orders may be cancelled. */
  client?: OrderOwner
  /** The order was found by its uuid, so it exists although it may not be readable yet. */
  isNamed?: boolean
  /** The operator decided to refund a payment in review, or has refunded it manually. */
  givesBack?: GivesBack
  /** Only while the payment has not reached its provider. */
  ifUnopened?: boolean
  /** Hash of the Idempotency-Key to release. */
  idempotencyKey?: string | null
}

const refusal = (refused: Refusal, { status }: OrderRecord['header']): Problem =>
  new Problem(refused === 'not_in_this_status' ? 'order_not_cancellable' : refused, { because: `it is ${status}` })

const keyActions = (merchant: MerchantId, { idempotencyKey }: CancelOptions): Action[] =>
  // Stryker disable next-line StringLiteral: Only the log distinguishes this action.
  idempotencyKey ? [remove('idempotency', key('idempotency', { merchant, key: idempotencyKey }))] : []

// A capture that was requested at the last moment has had its effect by then.
const lastLookDelay = 10 * 60_000

// A cancelled payment is reconciled once more, however old it is.
const taskKeyAfter = (after: PaymentItem): string | null =>
  taskKeyOf(after) ?? (after.status === 'cancelled' ? taskKey('due', Date.now() + lastLookDelay) : null)

const paymentChange = (merchant: MerchantId, payment: PaymentItem, { set }: Next): Action =>
  set.status === undefined
    ? check('payment', key('payment', { merchant, uuid: payment.uuid }), [ifUnchanged(payment)])
    : paymentAction(merchant, payment, set, taskKeyAfter(changed(payment, set)))

/** The order's payment is captured, being captured, or in review. */
export class PaymentConflict extends Error {
  readonly payment: PaymentItem

  constructor(payment: PaymentItem) {
    // Stryker disable next-line StringLiteral: No answer contains it: the callers that catch it name the status.
    super(`the payment is ${payment.status}`)
    this.payment = payment
  }
}

/** The actions that end an order's payment. Throws PaymentConflict if the payment does not allow it. */
export const detachPayment = async (
  merchant: MerchantId,
  { payment: uuid }: OrderRecord,
  { givesBack, ifUnopened }: Pick<CancelOptions, 'givesBack' | 'ifUnopened'> = {},
): Promise<Action[]> => {
  if (!uuid) return []
  const payment = await untilShown(() => readPayment(merchant, uuid))
  const next = nextPayment(payment, { is: 'order_cancelled', givesBack, ifUnopened })
  if ('refused' in next) throw new PaymentConflict(payment)
  return [paymentChange(merchant, payment, next)]
}

const cancelLoaded = async (
  merchant: MerchantId,
  loaded: LoadedOrder,
  options: CancelOptions,
  gone: ReadonlySet<string>,
): Promise<OrderRecord> => {
  const { order, numbers } = loaded
  const { event, actor, client } = options
  checkOwnOrder(order, client)
  // Earlier credits are not repeated, nor their stock returned.
  const credit = order.credited === 'part' ? restOf(order, await soldOf(merchant, loaded)) : undefined
  const effect = applyEvent(order, numbers, event, {
    ...{ now: timestamp(Date.now()), actor, merchant: loaded.merchant },
    credit,
  })
  if ('unchanged' in effect) return order
  if ('refused' in effect) throw refusal(effect.refused, order.header)
  await transact([
    ...(await detachPayment(merchant, order, options)),
    ...changeActions(merchant, loaded, effect),
    ...returnStocks(merchant, credit ? restockedBy(order.counted, credit) : order.counted, gone),
    ...reopenBasket(merchant, order, gone.has('basket')),
    ...keyActions(merchant, options),
  ])
  return effect.order
}

/** Notes stock and basket that prevented a write because they do not exist any more, so that it is tried without them. */
export const noteGone = (gone: Set<string>, error: TransactionRefused): true => {
  for (const name of Object.keys(error.reasons)) {
    // Stryker disable next-line ConditionalExpression,StringLiteral: Only stock and baskets are asked for in it.
    const isGoods = name.startsWith('stock ') || name === 'basket'
    if (isGoods && error.hasFailed(name)) gone.add(name)
  }
  return true
}

const cancelOnce = (merchant: MerchantId, id: number, options: CancelOptions): Promise<StoredOrder> => {
  // Stock that is no longer counted and a deleted basket need no restoring.
  const gone = new Set<string>()
  return withNumbers({
    attempt: async () => {
      const loaded = await loadOrder(merchant, id, options.isNamed)
      return { order: await cancelLoaded(merchant, loaded, options, gone), firstPart: loaded.firstPart }
    },
    again: error => noteGone(gone, error),
  })
}

/**
 * Resolves a payment that prevents a cancellation, by asking the provider whether there is money. Throws order_paid if
 * there is, order_not_cancellable in review, payment_in_progress while another request captures, and what the provider throws.
 */
const resolveConflict = async (merchant: MerchantId, { uuid, status }: PaymentItem, actor: string): Promise<void> => {
  const because = `its payment is ${status}`
  if (status === 'captured') throw new Problem('order_paid', { because })
  if (status === 'review') throw new Problem('order_not_cancellable', { because })
  const resolved = await resolvePayment(merchant, uuid, actor, { capture: false })
  const answer = { because: `${because}, and the provider has the money` }
  if (resolved === 'paid') throw new Problem('order_paid', answer)
  if (resolved === 'review') throw new Problem('order_not_cancellable', answer)
}

/**
 * Cancels an order: restores stock and basket, ends the payment and credits an invoice in one transaction. An order that
 * is already cancelled is returned unchanged. Throws order_paid, order_not_cancellable, payment_in_progress, and what the
 * provider throws where it has to be asked.
 */
export const cancelById = async (merchant: MerchantId, id: number, options: CancelOptions): Promise<StoredOrder> => {
  try {
    return await cancelOnce(merchant, id, options)
  } catch (error) {
    if (!(error instanceof PaymentConflict)) throw error
    if (options.ifUnopened) throw new Problem('payment_in_progress', { because: 'its payment is open at the provider' })
    await resolveConflict(merchant, error.payment, options.actor)
    // Another request may have begun to capture since the provider was asked.
    return cancelOnce(merchant, id, options).catch(again => {
      throw again instanceof PaymentConflict ? paymentInProgress() : again
    })
  }
}

/** Cancels an order; for a signed-in client only its own. Throws order_not_found and what cancelById throws. */
export const cancelOrder = async (
  merchant: MerchantId,
  identifier: OrderIdentifier,
  actor: string,
  client?: OrderOwner,
): Promise<Order> => {
  const id = await orderIdOf(merchant, identifier)
  const options = { event: 'cancel', actor, client, isNamed: Boolean(identifier.uuid) } as const
  return writtenOrder(merchant, await cancelById(merchant, id, options), client)
}
