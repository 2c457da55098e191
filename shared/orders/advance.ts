import { randomUUID } from 'node:crypto'
import { Problem } from '../contract/errors.ts'
import type { MerchantId } from '../table/keys.ts'
import { transact } from '../table/transact.ts'
import { timestamp } from '../time.ts'
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
      await transact(changeActions(merchant, loaded, effect, turn))
      return effect.order
    },
    error => !(error instanceof Problem),
  )
