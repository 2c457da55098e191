import { Problem } from '../../contract/errors.ts'
import type { ExecutedPayment, Order } from '../../contract/records/order.ts'
import { isUuid } from '../../contract/schema/wire.ts'
import { isProviderFailure } from '../../payments/provider-failure.ts'
import { paymentView, readPayment } from '../../payments/record.ts'
import { Unavailable, untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { transact } from '../../platform/table/transact.ts'
import { timestamp } from '../../values/time.ts'
import { applyEvent } from '../documents.ts'
import { withNumbers } from '../numbering/numbers.ts'
import { changeActions, loadOrder, readOrder } from '../store.ts'
import { writtenOrder } from '../view.ts'
import { finishPayment } from './finish.ts'
import type { SettledOrder } from './settle.ts'

/** The payment, paid or on its way, and its order, for a shop's return page. */
type ExecuteResult = { data: ExecutedPayment; order: Order }

// The page must be answered before the shop's request times out; the sweep resolves what is unknown by then.
const patienceMs = { claim: 5000, all: 20_000 }

/** A payment's uuid; `external` is its provider's id if the request named it by that. */
type Named = { uuid: string; external?: string }

const namedBy = async (merchant: MerchantId, name: string): Promise<Named> => {
  if (isUuid(name)) return { uuid: name.toLowerCase() }
  const pointer = await getItem(key('externalPayment', { merchant, external: name }))
  if (!pointer) throw new Problem('payment_not_found', { because: 'no payment has this id of a provider' })
  return { uuid: pointer.uuid, external: name }
}

const mustBe =
  ({ external }: Named) =>
  (stored: PaymentItem | undefined): PaymentItem => {
    if (stored && (external === undefined || stored.external_id === external)) return stored
    throw new Problem('payment_not_found', { because: stored ? 'it has another external_id' : 'none has this uuid' })
  }

const executed = async (merchant: MerchantId, settled: SettledOrder): Promise<ExecuteResult> => ({
  data: { ...paymentView(settled.payment), status: settled.payment.status === 'captured' ? 'payed' : 'pending' },
  order: await writtenOrder(merchant, settled),
})

const settle = async (merchant: MerchantId, named: Named, actor: string): Promise<SettledOrder> => {
  const finish = () => finishPayment(merchant, named.uuid, { actor, check: mustBe(named), patience: patienceMs.claim })
  return named.external === undefined ? finish() : untilShown(finish)
}

/**
 * Moves the order to need_payment while the outcome of its payment is unknown, so that the shop confirms it. Throws
 * order_cancelled.
 */
const waiting = (merchant: MerchantId, named: Named, actor: string): Promise<SettledOrder> =>
  withNumbers({
    attempt: async () => {
      const payment = await untilShown(async () => mustBe(named)(await readPayment(merchant, named.uuid)))
      const loaded = await untilShown(() => loadOrder(merchant, payment.order))
      const now = timestamp(Date.now())
      const effect = applyEvent(loaded.order, loaded.numbers, 'payment_pending', {
        now,
        actor,
        merchant: loaded.merchant,
      })
      if ('refused' in effect && effect.refused === 'order_cancelled')
        throw new Problem(effect.refused, { because: 'the outcome of its payment is unknown' })
      if ('order' in effect) await transact(changeActions(merchant, loaded, effect))
      const order = 'order' in effect ? effect.order : loaded.order
      return { order, firstPart: loaded.firstPart, payment }
    },
    again: () => true,
  })

/** A debit has no payment at a provider: its return page names the order instead. */
const debitOf = async (merchant: MerchantId, uuid: string): Promise<ExecuteResult | undefined> => {
  const pointer = isUuid(uuid) ? await getItem(key('orderUuid', { merchant, uuid: uuid.toLowerCase() })) : undefined
  const stored = pointer && (await untilShown(() => readOrder(merchant, pointer.id)))
  if (stored?.order.header.payment_type !== 'debit') return undefined
  const { status, paid, payment_type: type, gross: amount, uuid: order } = stored.order.header
  if (status === 'cancelled') throw new Problem('order_cancelled', { because: 'it is a debit' })
  return {
    data: {
      ...{ uuid: order, type, status: paid ? 'payed' : 'pending', amount, currency: 'EUR' },
      ...{ external_id: null, target_url: null },
    },
    order: await writtenOrder(merchant, stored),
  }
}

const isUndecided = (error: unknown): boolean =>
  // The order of a captured payment may not be readable yet.
  error instanceof Unavailable ||
  isProviderFailure(error) ||
  (error instanceof Problem && error.word === 'payment_in_progress')

const executeExternal = async (merchant: MerchantId, name: string, actor: string): Promise<ExecuteResult> => {
  const payment = await namedBy(merchant, name)
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), patienceMs.all)
  const work = settle(merchant, payment, actor).catch(error => {
    if (!isUndecided(error)) throw error
  })
  try {
    const settled = (await Promise.race([work, tooLate])) ?? (await waiting(merchant, payment, actor))
    return await executed(merchant, settled)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Finishes the order of a payment, which is named by its uuid or its provider's id, for any payer. If the provider fails or
 * is slow, the payment is shown as pending and its order becomes need_payment. The uuid of a debit's order returns that
 * order. Throws payment_not_found, and the contract's reason if there is no money.
 */
export const executePayment = async (merchant: MerchantId, name: string, actor: string): Promise<ExecuteResult> => {
  try {
    return await executeExternal(merchant, name, actor)
  } catch (error) {
    const isMissing = error instanceof Problem && error.word === 'payment_not_found'
    const debit = isMissing ? await debitOf(merchant, name) : undefined
    if (debit) return debit
    throw error
  }
}
