import { randomUUID } from 'node:crypto'
import type { MerchantId } from '../table/keys.ts'
import { transact } from '../table/transact.ts'
import { timestamp } from '../time.ts'
import { leavePayment, PaymentInTheWay } from './checkout/cancel.ts'
import type { OrderRecord } from './record.ts'
import type { OrderEvent } from './states.ts'
import { changeActions, loadOrder } from './store.ts'
import { applyEvent } from './transitions.ts'
import { inTurn } from './turns.ts'

/** A step that the merchant makes by hand is not possible now. */
export class StepRefused extends Error {}

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
    if (!(error instanceof PaymentInTheWay)) throw error
    throw new StepRefused(`the provider's payment of order ${id} is ${error.payment.status}`)
  }

/**
 * Moves an order by the merchant's hand: money received, packed, shipped, closed; with the documents the step causes.
 * Throws order_not_found, or StepRefused when the order's status does not allow it.
 */
export const advanceOrder = (
  merchant: MerchantId,
  id: number,
  event: OrderEvent,
  actor: string,
): Promise<OrderRecord> =>
  inTurn(
    { merchant, counter: 'invoices' },
    async turn => {
      const loaded = await loadOrder(merchant, id)
      const now = timestamp(Date.now())
      const payment = event === 'money_received' ? { payment: moneyReceived(loaded.order, now) } : {}
      const effect = applyEvent(loaded.order, loaded.numbers, event, { now, actor, ...payment })
      if ('unchanged' in effect) return loaded.order
      if ('refused' in effect) {
        const { status, paid } = loaded.order.header
        throw new StepRefused(`order ${id} is ${status}${paid ? ' and paid' : ''}: ${effect.refused}`)
      }
      // Money that comes by the provider as well is given back.
      const left = event === 'money_received' ? await leavePayment(merchant, loaded.order).catch(refused(id)) : []
      await transact([...changeActions(merchant, loaded, effect, turn), ...left])
      return effect.order
    },
    () => true,
  )
