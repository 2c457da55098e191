import { Problem } from '../../contract/errors.ts'
import type { ExecutedPayment, Order } from '../../contract/records/order.ts'
import { isUuid } from '../../contract/wire.ts'
import { isProviderFailure } from '../../payments/provider-failure.ts'
import { paymentView } from '../../payments/record.ts'
import { Unavailable } from '../../table/failures.ts'
import type { PaymentItem } from '../../table/items.ts'
import { key, type MerchantId } from '../../table/keys.ts'
import { untilShown } from '../../table/shown.ts'
import { getItem } from '../../table/table.ts'
import { readOrder } from '../store.ts'
import { writtenOrder } from '../view.ts'
import { capturePayment } from './capture.ts'
import { claimPayment } from './claim.ts'
import { settledBefore } from './finish.ts'
import { type Settled, settlePayment } from './settle.ts'

/** What a shop's return page is shown: the payment, paid or on its way, and its order. */
export type Executed = { data: ExecutedPayment; order: Order }

// A page must be answered before its shop gives up; what is not known by then, the sweep finds out.
const patienceMilliseconds = { claim: 5000, all: 20_000 }

/** A payment by its uuid; `external` is its provider's id where that led to it. */
type Named = { uuid: string; external?: string }

const namedBy = async (merchant: MerchantId, name: string): Promise<Named> => {
  if (isUuid(name)) return { uuid: name.toLowerCase() }
  const pointer = await getItem(key('externalPayment', { merchant, external: name }))
  if (!pointer) throw new Problem('payment_not_found')
  return { uuid: pointer.uuid, external: name }
}

const mustBe =
  ({ external }: Named) =>
  (stored: PaymentItem | undefined): PaymentItem => {
    if (stored && (external === undefined || stored.external_id === external)) return stored
    throw new Problem('payment_not_found')
  }

const executed = async (merchant: MerchantId, { order, firstPart, payment }: Settled): Promise<Executed> => ({
  data: { ...paymentView(payment), status: payment.status === 'captured' ? 'payed' : 'pending' },
  order: await writtenOrder(merchant, { order, firstPart }),
})

const settle = async (merchant: MerchantId, named: Named, actor: string): Promise<Settled> => {
  const claim = () => claimPayment(merchant, named.uuid, mustBe(named), patienceMilliseconds.claim)
  const claimed = await (named.external === undefined ? claim() : untilShown(claim))
  if ('settled' in claimed) return settledBefore(merchant, claimed.settled)
  return settlePayment(merchant, claimed.payment, await capturePayment(merchant, claimed), actor)
}

/** The order as it is while the outcome of its payment is not known. */
const waiting = async (merchant: MerchantId, named: Named): Promise<Settled> => {
  const place = key('payment', { merchant, uuid: named.uuid })
  const stored = await untilShown(async () => mustBe(named)(await getItem(place)))
  return { ...(await untilShown(() => readOrder(merchant, stored.order))), payment: stored }
}

const isUndecided = (error: unknown): boolean =>
  // Its order may not show yet that it was paid.
  error instanceof Unavailable ||
  isProviderFailure(error) ||
  (error instanceof Problem && error.word === 'payment_in_progress')

/**
 * Finishes the order of a payment, which is named by its uuid or by its provider's id; the provider is asked who paid.
 * A provider that is slow, lost or not done yet leaves it pending. Throws payment_not_found, and why there is no money.
 */
export const executePayment = async (merchant: MerchantId, name: string, actor: string): Promise<Executed> => {
  const payment = await namedBy(merchant, name)
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), patienceMilliseconds.all)
  const work = settle(merchant, payment, actor).catch(error => {
    if (!isUndecided(error)) throw error
  })
  try {
    const settled = (await Promise.race([work, tooLate])) ?? (await waiting(merchant, payment))
    return await executed(merchant, settled)
  } finally {
    clearTimeout(timer)
  }
}
