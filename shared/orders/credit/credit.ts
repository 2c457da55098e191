import { Problem } from '../../contract/errors.ts'
import type { CreditAdvice, Order, PaymentStep } from '../../contract/records/order.ts'
import type { Credit as CreditAnswer } from '../../contract/routes/order-steps.ts'
import type { RefundWay } from '../../contract/vocabulary.ts'
import { earlierOr, earlierUse, type Keyed, useActions } from '../../merchants/idempotency.ts'
import type { CreditWay } from '../../payments/events.ts'
import { paymentAction, readPayment, taskKey } from '../../payments/record.ts'
import { setBy } from '../../payments/states.ts'
import { TooLarge, untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { type Action, transact } from '../../platform/table/transact.ts'
import { type Cents, formatMoney, totalCents } from '../../values/money.ts'
import { timestamp } from '../../values/time.ts'
import { noteGone } from '../checkout/cancel.ts'
import { reconcileSoon } from '../checkout/reconcile.ts'
import { applyEvent, type Credit } from '../documents.ts'
import { type Numbers, withNumbers } from '../numbering/numbers.ts'
import { itemOf, type OrderRecord, payingPaymentOf } from '../record.ts'
import { nextStep } from '../states.ts'
import { refusedEvent, refusedReturn } from '../step-refused.ts'
import {
  changeActions,
  type LoadedOrder,
  loadOrder,
  type OrderIdentifier,
  orderIdOf,
  readOrder,
  reopenBasket,
  returnStocks,
  type StoredOrder,
  soldOf,
} from '../store.ts'
import { writtenOrder } from '../view.ts'
import { type CreditWish, creditOf, restockedBy } from './lines.ts'

export type CreditOptions = {
  actor: string
  isNamed?: boolean
  idempotencyKey?: string | null
  /** Returns the credit and stores nothing. */
  isPreview?: boolean
  /** A decision about money that others gave back, which otherwise has to be made first. */
  isDecision?: boolean
}

type Back = (PaymentStep & { state: 'refund_due' | 'by_hand' | 'at_provider' }) | null

/** A credited order with its new credit advice; `replayed` if an earlier request wrote that. */
export type Credited = StoredOrder & { advice: CreditAdvice; refund: Back; replayed: boolean }

const refundMs = 12_000

const payingPayment = async (merchant: MerchantId, order: OrderRecord): Promise<PaymentItem | undefined> => {
  const uuid = payingPaymentOf(order)
  return uuid === undefined ? undefined : untilShown(() => readPayment(merchant, uuid))
}

const notAtProvider = () =>
  new Problem('refund_not_possible', { fields: [{ path: 'refund', rule: 'one_of', expected: 'by_hand, none' }] })

type PaymentChange = { set: Partial<PaymentItem>; step: Back }

const stepStates = { provider: 'refund_due', by_hand: 'by_hand', at_provider: 'at_provider' } as const

const backStep = (uuid: string | null, amount: Cents, way: keyof typeof stepStates): Back =>
  amount === 0 ? null : { uuid, amount: formatMoney(0 - amount), state: stepStates[way] }

/**
 * The amount to be refunded: a credit of the whole invoice at once gives back everything that was taken, whatever it was.
 * Throws refund_not_possible for a part of another currency.
 */
const wantedBack = ({ taken, currency }: PaymentItem, { gross, isRest }: Credit, isFirst: boolean): Cents => {
  if (isFirst && isRest) return Number.POSITIVE_INFINITY
  if (taken && taken.currency !== currency) throw notAtProvider()
  return totalCents(gross)
}

const ways = {
  provider: 'at the provider',
  at_provider: 'by the merchant at the provider',
  by_hand: 'by hand',
  none: 'none',
} as const satisfies Record<RefundWay, CreditWay>

/** The change of the payment that paid the order, and the step that says what goes back: never more than there is. */
const refundOf = (payment: PaymentItem | undefined, { order, numbers }: LoadedOrder, credit: Credit): PaymentChange => {
  const { refund = 'none', isRest } = credit
  if (!payment) {
    if (refund === 'provider' || refund === 'at_provider') throw notAtProvider()
    const amount = order.header.paid && refund === 'by_hand' ? totalCents(credit.gross) : 0
    return { set: {}, step: backStep(null, amount, 'by_hand') }
  }
  const isFirst = order.documents.creditAdvices.length === 0
  const isAll = refund === 'provider' || refund === 'at_provider'
  const amount = isAll ? wantedBack(payment, credit, isFirst) : totalCents(credit.gross)
  const isCancelled = isRest && order.header.status === 'need_package'
  const number = numbers.creditAdvices + 1
  const set = setBy(payment, {
    is: 'credited',
    credit: number,
    amount,
    way: ways[refund],
    isWhole: isRest,
    isCancelled,
  })
  const made = set.refunds?.find(one => one.credit === number)
  return { set, step: made && refund !== 'none' ? backStep(payment.uuid, made.amount, refund) : null }
}

// The request that writes a refund makes it; the sweep does if that request ends before.
const sweepDelay = 4 * 60_000

const paymentActions = (
  merchant: MerchantId,
  payment: PaymentItem | undefined,
  { set, step }: PaymentChange,
): Action[] => {
  if (!payment || Object.keys(set).length === 0) return []
  const soon = step?.state === 'refund_due' ? [taskKey('due', Date.now() + sweepDelay)] : []
  return [paymentAction(merchant, payment, set, ...soon)]
}

// Room for the steps that follow: refunds, payment, shipping. The table stores 400 KB.
const maxBytes = 360_000

const checkSize = (order: OrderRecord): void => {
  if (Buffer.byteLength(itemOf(order, 0).doc) > maxBytes) throw new TooLarge()
}

/** The credit that an earlier request with the same key wrote; undefined if there was none. */
const replayOf = async (merchant: MerchantId, id: number, keyed: Keyed<unknown>): Promise<Credited | undefined> => {
  const used = await earlierUse(merchant, keyed)
  if (!used) return undefined
  const stored = await untilShown(async () => {
    const read = await readOrder(merchant, id)
    return read.order.documents.creditAdvices.some(({ id: number }) => number === used.id) ? read : undefined
  })
  const advice = stored.order.documents.creditAdvices.find(({ id: number }) => number === used.id) as CreditAdvice
  const step = stored.order.history.find(({ documents }) =>
    documents?.some(one => one.document === 'credit_advice' && one.number === advice.number),
  )
  return { ...stored, advice, refund: (step?.payment ?? null) as Back, replayed: true }
}

type Prepared = { loaded: LoadedOrder; credit: Credit; payment: PaymentItem | undefined }

/** Reads what a credit needs, and calculates it. Throws its refusals. */
const prepare = async (
  merchant: MerchantId,
  id: number,
  wish: CreditWish,
  { isNamed, isDecision = false }: CreditOptions,
): Promise<Prepared> => {
  const loaded = await loadOrder(merchant, id, isNamed)
  const { status, paid } = loaded.order.header
  const step = nextStep(status, 'credit', { paid })
  if ('refused' in step) throw refusedEvent(loaded.order, step.refused, 'credit')
  const credit = creditOf(loaded.order, await soldOf(merchant, loaded), wish)
  const payment = await payingPayment(merchant, loaded.order)
  if (wish.refund === 'provider' && !payment) throw notAtProvider()
  // A buyer would get money twice that the merchant gave back at the provider for the same goods.
  if (wish.refund === 'provider' && payment && payment.undecided > 0 && !isDecision)
    throw refusedReturn(loaded.order, payment)
  return { loaded, credit, payment }
}

type Applied = { credited: Credited; numbers: Numbers; change: PaymentChange }

/** The order after a credit, and the change of its payment. */
const apply = ({ loaded, credit, payment }: Prepared, actor: string): Applied => {
  const change = refundOf(payment, loaded, credit)
  const effect = applyEvent(loaded.order, loaded.numbers, credit.isRest ? 'credit_rest' : 'credit', {
    ...{ now: timestamp(Date.now()), actor, merchant: loaded.merchant, remark: credit.remark },
    ...{ credit, refund: change.step ?? undefined },
  })
  if (!('order' in effect)) throw new Error('the order can no longer be credited')
  checkSize(effect.order)
  const advice = effect.order.documents.creditAdvices.at(-1) as CreditAdvice
  const credited = { order: effect.order, firstPart: loaded.firstPart, advice, refund: change.step, replayed: false }
  return { credited, numbers: effect.numbers, change }
}

/**
 * Credits pieces of an order's invoice: order, credit advice, its number, stock and the refund that is due in one
 * transaction. Throws StepRefused if the order has no invoice, credit_exceeds_invoice, refund_not_possible,
 * idempotency_key_reused or validation_failed, and TooLarge for an order that has too many credits.
 */
export const writeCredit = (
  merchant: MerchantId,
  id: number,
  wish: CreditWish,
  options: CreditOptions,
): Promise<Credited> => {
  const { actor, idempotencyKey, isPreview = false } = options
  const keyed = { change: [id, wish], idempotencyKey: idempotencyKey ?? null }
  const gone = new Set<string>()
  // Money that others refunded at the provider is not refunded again.
  let isAsked = wish.refund !== 'provider' || isPreview
  const earlier = async () => (isPreview ? undefined : replayOf(merchant, id, keyed))
  const write = async (): Promise<Credited> => {
    const prepared = await prepare(merchant, id, wish, options)
    const { loaded, credit, payment } = prepared
    if (payment && !isAsked) {
      isAsked = true
      await reconcileSoon(merchant, payment.uuid, actor)
      return write()
    }
    const { credited, numbers, change } = apply(prepared, actor)
    if (isPreview) return credited
    const { order, advice } = credited
    const isCancelled = order.header.status === 'cancelled'
    await transact([
      ...changeActions(merchant, loaded, { order, numbers }),
      ...paymentActions(merchant, payment, change),
      ...(wish.restock ? returnStocks(merchant, restockedBy(order.counted, credit), gone) : []),
      ...(isCancelled ? reopenBasket(merchant, order, gone.has('basket')) : []),
      ...useActions(merchant, keyed, advice.id, order.header.uuid),
    ])
    return credited
  }
  return withNumbers({ attempt: () => earlierOr(earlier, write), again: error => noteGone(gone, error) })
}

const shownStates = {
  due: 'refund_due',
  pending: 'refund_pending',
  refunded: 'refunded',
  review: 'review',
  by_hand: 'by_hand',
  expected: 'at_provider',
} as const

/** How far the refund of a credit is by now. */
const refundNow = async (
  merchant: MerchantId,
  { order, advice, refund }: Credited,
): Promise<CreditAnswer['refund']> => {
  if (!refund || refund.state !== 'refund_due' || !order.payment) return refund
  const payment = await readPayment(merchant, order.payment)
  const own = payment?.refunds.find(one => one.credit === advice.id)
  return { ...refund, state: shownStates[own?.state ?? 'due'] }
}

/**
 * Credits an identified order, and requests the refund; what the provider does not answer soon is left to the sweep. Throws
 * what writeCredit and orderIdOf throw.
 */
export const creditOrder = async (
  merchant: MerchantId,
  identifier: OrderIdentifier,
  wish: CreditWish,
  options: CreditOptions,
): Promise<CreditAnswer & { data: Order; replayed: boolean }> => {
  const id = await orderIdOf(merchant, identifier)
  const credited = await writeCredit(merchant, id, wish, { ...options, isNamed: Boolean(identifier.uuid) })
  const isDue = credited.refund?.state === 'refund_due' && !options.isPreview && !credited.replayed
  if (isDue && credited.order.payment) await reconcileSoon(merchant, credited.order.payment, options.actor, refundMs)
  return {
    data: await writtenOrder(merchant, credited),
    credit: credited.advice,
    refund: options.isPreview ? credited.refund : await refundNow(merchant, credited),
    replayed: credited.replayed,
  }
}
