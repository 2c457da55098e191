import { randomUUID } from 'node:crypto'
import type { Status } from '../contract/vocabulary.ts'
import { amountTakenOf } from '../payments/record.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem } from '../platform/table/table.ts'
import { transact } from '../platform/table/transact.ts'
import { formatMoney } from '../values/money.ts'
import { timestamp } from '../values/time.ts'
import { detachPayment, PaymentConflict } from './checkout/cancel.ts'
import { applyEvent } from './documents.ts'
import { withNumbers } from './numbering/numbers.ts'
import type { OrderRecord } from './record.ts'
import type { OrderEvent, Refusal } from './states.ts'
import { changeActions, loadOrder } from './store.ts'

/** A manual step is not possible now. */
export class StepRefused extends Error {}

const statusWords: Readonly<Record<Status, string>> = {
  new: 'new',
  need_payment: 'waiting for payment',
  payed: 'not yet packed',
  need_package: 'due for packing and shipping',
  in_delivery: 'shipped',
  closed: 'closed',
  cancelled: 'cancelled',
}

const stepWords: Partial<Record<OrderEvent, string>> = { pack: 'packed', ship: 'shipped', close: 'closed' }

const whyNot = (refusal: Refusal, event: OrderEvent): string => {
  if (refusal === 'order_cancelled') return 'nothing more can be done with it'
  if (refusal === 'order_paid') return 'it is paid once only'
  if (refusal === 'payment_in_progress') return 'its checkout is not finished'
  return `it cannot be ${stepWords[event]} now`
}

const moneyReceived = ({ header }: OrderRecord, now: string) => ({
  uuid: randomUUID(),
  payment_type: header.payment_type,
  amount: header.gross,
  currency: 'EUR',
  external_id: null,
  payer_id: null,
  crstamp: now,
})

const refused =
  (id: number) =>
  (error: unknown): never => {
    if (!(error instanceof PaymentConflict)) throw error
    throw new StepRefused(`the provider's payment of order ${id} is ${error.payment.status}`)
  }

/** The reason not to ship: money went back to the payer, and the merchant has not decided about it. */
const moneyGone = async (merchant: MerchantId, { payment: uuid }: OrderRecord): Promise<string | undefined> => {
  const payment = uuid && (await getItem(key('payment', { merchant, uuid })))
  if (!payment || payment.returned !== 'undecided') return undefined
  const back = `${formatMoney(payment.refunded)} of ${formatMoney(amountTakenOf(payment))}`
  return `${back} went back: accept that, or cancel the order`
}

/**
 * Makes a manual step of an order (money received, packed, shipped, closed), with the documents that it causes. Throws
 * order_not_found, or StepRefused if the status does not allow it or the money went back.
 */
export const advanceOrder = (
  merchant: MerchantId,
  id: number,
  event: OrderEvent,
  actor: string,
): Promise<OrderRecord> =>
  withNumbers({
    attempt: async () => {
      const loaded = await loadOrder(merchant, id)
      const now = timestamp(Date.now())
      const payment = event === 'money_received' ? { payment: moneyReceived(loaded.order, now) } : {}
      const effect = applyEvent(loaded.order, loaded.numbers, event, {
        now,
        actor,
        merchant: loaded.merchant,
        ...payment,
      })
      if ('unchanged' in effect) return loaded.order
      const { status, paid } = loaded.order.header
      const refuse = (why: string) =>
        new StepRefused(`order ${id} is ${statusWords[status]}${paid ? ', and paid' : ''}: ${why}`)
      if ('refused' in effect) throw refuse(whyNot(effect.refused, event))
      // Money that goes back after this read changes the order as well, so that the transaction below is refused.
      const gone = event === 'ship' ? await moneyGone(merchant, loaded.order) : undefined
      if (gone) throw refuse(gone)
      // Money that the provider takes as well is refunded.
      const left = event === 'money_received' ? await detachPayment(merchant, loaded.order).catch(refused(id)) : []
      await transact([...changeActions(merchant, loaded, effect), ...left])
      return effect.order
    },
  })
