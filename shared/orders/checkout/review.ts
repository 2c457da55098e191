import { Problem } from '../../contract/errors.ts'
import type { MerchantPayment } from '../../contract/routes/payments.ts'
import type { GivesBack } from '../../payments/events.ts'
import { merchantPayment } from '../../payments/open.ts'
import { isProviderFailure } from '../../payments/provider-failure.ts'
import { providerOfPayment } from '../../payments/providers.ts'
import { changePayment, existingPayment, needsReview, readPayment, shownStatus } from '../../payments/record.ts'
import {
  changed,
  expectedRefunds,
  givenBackOf,
  isLeftUndecided,
  openRefunds,
  refundableOf,
  refusedRefunds,
} from '../../payments/refunds.ts'
import { setBy } from '../../payments/states.ts'
import { isRace } from '../../platform/table/failures.ts'
import type { Opened, PaymentItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { totalCents } from '../../values/money.ts'
import { writeCredit } from '../credit/credit.ts'
import { type OrderRecord, showsPayment } from '../record.ts'
import { StepRefused } from '../step-refused.ts'
import { readOrder } from '../store.ts'
import { cancelById } from './cancel.ts'
import { type ReconcileResult, reconcilePayment, reconcileSoon } from './reconcile.ts'
import { changeTogether, resultOf } from './returned.ts'
import { recordPayment } from './settle.ts'

type Decidable = { order: OrderRecord; payment: PaymentItem }

const isPaidBy = ({ order, payment: { uuid, status } }: Decidable): boolean =>
  order.header.paid && status === 'captured' && showsPayment(order, uuid)

/** Reads an order whose payment needs a decision. Throws StepRefused if there is nothing to decide. */
const readDecidable = async (
  merchant: MerchantId,
  id: number,
  isDecidable: (one: Decidable) => boolean,
): Promise<Decidable> => {
  const { order } = await readOrder(merchant, id)
  const payment = order.payment ? await readPayment(merchant, order.payment) : undefined
  if (payment && isDecidable({ order, payment })) return { order, payment }
  const state = payment ? `its payment is ${shownStatus(payment)}` : 'it has no payment at a provider'
  throw new StepRefused(`nobody has to decide about order ${id}: ${state}`)
}

/** Runs a decision. Throws StepRefused if another request decided concurrently, or more money was returned. */
const deciding = async <T>(readAgain: () => Promise<Decidable>, decide: () => Promise<T>): Promise<T> => {
  try {
    return await decide()
  } catch (error) {
    if (!isRace(error) && !(error instanceof Problem)) throw error
    const { payment } = await readAgain()
    if (!isRace(error)) throw error
    throw new StepRefused(
      `the payment of order ${payment.order} changed at the same moment: look at it, and decide again`,
    )
  }
}

/** The reason why there is no money to accept; undefined if there may be some, or the provider cannot be asked. */
const whyNoMoney = async (merchant: MerchantId, payment: PaymentItem & Opened): Promise<string | undefined> => {
  try {
    const provider = await providerOfPayment(merchant, payment)
    const { state } = await provider.inspect(payment.external_id)
    // The operator may know more than the provider reports.
    if (state === 'captured' || state === 'missing') return undefined
    return state === 'pending'
      ? 'is still on its way: decide when it is there, or give it back'
      : `is not at the provider, where the payment is ${state}: give it back, then the order is cancelled`
  } catch (error) {
    if (isProviderFailure(error)) return undefined
    throw error
  }
}

/** True if the merchant has to decide about money that went back, or that was left. */
const isQuestionOfMoney = (payment: PaymentItem): boolean => payment.undecided > 0 || isLeftUndecided(payment)

/** The credit advice of an order that money is said to be the refund of. */
const creditNamed = ({ header, documents }: OrderRecord, id: number | undefined) => {
  if (id === undefined) return undefined
  const advice = documents.creditAdvices.find(one => one.id === id)
  if (!advice) throw new StepRefused(`order ${header.id} has no credit advice ${id}`)
  return { number: id, gross: totalCents(advice.gross) }
}

/**
 * Accepts what the provider took as the payment of the order, keeps the order although its money was returned, perhaps as the
 * refund of a `credit`, or keeps what a credit left, by the merchant's decision. Throws order_not_found, or StepRefused if
 * there is nothing to decide, no money, or the order is cancelled.
 */
export const acceptPayment = async (
  merchant: MerchantId,
  id: number,
  actor: string,
  credit?: number,
): Promise<OrderRecord> => {
  const read = () => readDecidable(merchant, id, ({ payment }) => needsReview(payment))
  const { order, payment } = await read()
  const setNow = () => setBy(payment, { is: 'decided', decision: 'accept', credit: creditNamed(order, credit) })
  if (isQuestionOfMoney(payment)) {
    const set = setNow()
    // The refund by hand was made at the provider: it went back once.
    const amount = givenBackOf(changed(payment, set)) - givenBackOf(payment)
    const back = amount < 0 && { back: { amount, state: 'by_hand' as const } }
    return deciding(read, () => changeTogether(merchant, payment, set, { event: 'return_accepted', actor, ...back }))
  }
  if (order.header.status === 'cancelled') throw new StepRefused(`order ${id} is cancelled: its money can only go back`)
  if (payment.status !== 'review')
    throw new StepRefused(`the provider refused a refund of order ${id}: refund it again, or by hand`, order)
  const why = await whyNoMoney(merchant, payment)
  if (why) throw new StepRefused(`the money of order ${id} ${why}`)
  return (await deciding(read, () => recordPayment(merchant, payment, setNow(), actor))).order
}

const nothingLeft = () => new StepRefused('nothing of the payment is left to give back')

/**
 * Gives money back without a change of the order, which is cancelled, paid by other means, or credited: what the order took
 * and is given back by hand is a step of it.
 */
const giveBack = async (
  merchant: MerchantId,
  payment: PaymentItem,
  actor: string,
  givesBack: GivesBack,
): Promise<void> => {
  const set = setBy(payment, { is: 'decided', decision: 'refund', givesBack })
  if (!set.refunds) throw nothingLeft()
  const back = { amount: givenBackOf(changed(payment, set)) - givenBackOf(payment), state: 'by_hand' } as const
  if (payment.status === 'captured' && back.amount > 0)
    await changeTogether(merchant, payment, set, { event: 'refunded', actor, back })
  else await changePayment(merchant, payment, set)
}

/** Credits all that is left of a paid order that is not shipped, which cancels it. */
const creditRest = async (
  merchant: MerchantId,
  { header }: OrderRecord,
  actor: string,
  givesBack: GivesBack,
): Promise<void> => {
  if (header.status !== 'need_package')
    throw new Problem('order_not_cancellable', { because: `it is ${header.status}` })
  const refund = givesBack === 'by hand' ? 'by_hand' : 'provider'
  await writeCredit(merchant, header.id, { refund, restock: true, remark: null }, { actor, isDecision: true })
}

/**
 * Refunds a payment and cancels its order, by the operator's decision; `by hand` if the operator has refunded it already.
 * Only what is left after refunds at the provider is refunded. Refunds of credits that the provider refused are requested
 * again, and where nothing else is left those that the merchant announced and did not make. Throws order_not_found,
 * order_not_cancellable, StepRefused if there is nothing to decide, or what the provider throws; the sweep then continues.
 */
export const refundPayment = async (
  merchant: MerchantId,
  id: number,
  actor: string,
  givesBack: GivesBack = 'at the provider',
  isDecidable = (one: Decidable): boolean =>
    needsReview(one.payment) || expectedRefunds(one.payment).length > 0 || isPaidBy(one),
): Promise<ReconcileResult> => {
  const read = () => readDecidable(merchant, id, isDecidable)
  const decidable = await read()
  const { order, payment } = decidable
  const { status, paid } = order.header
  const isPaid = isPaidBy(decidable)
  const isRefused = refusedRefunds(payment).length > 0
  if (isRefused && payment.undecided > 0)
    throw new StepRefused('a refund was refused, and other money went back at the provider: accept that first')
  const isWithdrawn = expectedRefunds(payment).length > 0 && refundableOf(payment) === 0
  const isOver = status === 'cancelled' || isLeftUndecided(payment) || (paid && !isPaid)
  if (isRefused || isWithdrawn || isOver) await deciding(read, () => giveBack(merchant, payment, actor, givesBack))
  else if (isPaid) await deciding(read, () => creditRest(merchant, order, actor, givesBack))
  else await deciding(read, () => cancelById(merchant, id, { event: 'cancel', actor, givesBack }))
  if (givesBack === 'by hand') return resultOf(await existingPayment(merchant, payment.uuid))
  return reconcilePayment(merchant, payment.uuid, { actor })
}

/** Cancels an order for the merchant, also a paid order whose money was returned. */
export const cancelManually = async (merchant: MerchantId, id: number, actor: string): Promise<void> => {
  const { order } = await readOrder(merchant, id)
  const payment = order.payment ? await readPayment(merchant, order.payment) : undefined
  if (payment && payment.returned > 0 && order.header.paid) await refundPayment(merchant, id, actor)
  else await cancelById(merchant, id, { event: 'cancel', actor })
}

/** True if money was accepted before; undefined `credit`: whatever it was the refund of. Throws StepRefused for another credit. */
const wasAccepted = (payment: PaymentItem, credit: number | undefined): boolean => {
  if (payment.decided !== 'accept' || payment.status === 'review' || isQuestionOfMoney(payment)) return false
  const isKnown = payment.refunds.some(one => one.credit === credit && one.state === 'refunded')
  if (credit === undefined || isKnown) return true
  throw new StepRefused(`the money was accepted before, and not as the refund of credit advice ${credit}`)
}

/** True if money was given back, or is going back, by a decision before. Throws StepRefused where none is left. */
const wasGivenBack = (payment: PaymentItem): boolean => {
  if (needsReview(payment)) return false
  const { status, refunds, decided } = payment
  if (status === 'cancelled' || status === 'unused' || openRefunds(payment).length > 0) return true
  if (status !== 'captured' || expectedRefunds(payment).length > 0) return false
  const isLeft = refundableOf(payment) > 0
  if (isLeft && decided === 'refund')
    throw new StepRefused('the refund that was decided is made: orders/credit gives back what else is left')
  if (!isLeft && refunds.length === 0) throw nothingLeft()
  return !isLeft
}

type Decision = {
  uuid: string
  decision: 'accept' | 'refund'
  by_hand?: 0 | 1 | null | undefined
  credit?: number | null | undefined
}

/** The payment; a refund that the merchant announced, or made instead of a refused one, may be reported by now. */
const readPresent = async (
  merchant: MerchantId,
  seen: PaymentItem,
  decision: Decision['decision'],
  actor: string,
): Promise<PaymentItem> => {
  if (decision === 'accept' || (expectedRefunds(seen).length === 0 && refusedRefunds(seen).length === 0)) return seen
  await reconcileSoon(merchant, seen.uuid, actor)
  return existingPayment(merchant, seen.uuid)
}

/**
 * Decides about a payment, and returns it; a decision that was made before changes nothing. Throws payment_not_found and
 * what acceptPayment or refundPayment throws.
 */
export const decidePayment = async (
  merchant: MerchantId,
  { uuid, decision, by_hand, credit }: Decision,
  actor: string,
): Promise<MerchantPayment> => {
  const seen = await readPayment(merchant, uuid)
  if (!seen) throw new Problem('payment_not_found')
  const payment = await readPresent(merchant, seen, decision, actor)
  const { order } = payment
  if (by_hand && openRefunds(payment).length > 0)
    throw new StepRefused('the provider refunds the payment already: give nothing back by hand')
  if (decision === 'accept') {
    const advice = credit ?? undefined
    if (!wasAccepted(payment, advice)) await acceptPayment(merchant, order, actor, advice)
  } else if (!wasGivenBack(payment)) {
    // A decision about a refund that was made since then must not credit the whole order.
    const isDecidable = [seen, payment].some(needsReview) ? (one: Decidable) => needsReview(one.payment) : undefined
    await refundPayment(merchant, order, actor, by_hand ? 'by hand' : 'at the provider', isDecidable)
  }
  return merchantPayment((await readPayment(merchant, uuid)) ?? payment)
}
