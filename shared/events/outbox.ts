import type { OrderEventDetail, OrderEventType } from '../contract/events.ts'
import { eventSchema } from '../contract/events.ts'
import type { Header } from '../contract/records/order.ts'
import type { OutboxItem } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { type Action, put } from '../platform/table/transact.ts'
import { parseTimestamp } from '../values/time.ts'

type OrderHistory = { header: Header; history: readonly { at: string; event: string; status?: string | null }[] }

/** The steps of an order's history that make events; the others are internal to the merchant. */
const typeOf: Readonly<Record<string, OrderEventType>> = {
  add: 'order.placed',
  payment_completed: 'order.paid',
  money_received: 'order.paid',
  ship: 'order.shipped',
  payment_returned: 'order.refunded',
  refunded: 'order.refunded',
  credit: 'order.credited',
  credit_rest: 'order.credited',
  cancel: 'order.cancelled',
  refund: 'order.cancelled',
  expire: 'order.cancelled',
}

// Not by the order's number: after a restore, another order may have it, and an order may take other steps.
const eventId = ({ uuid }: Header, type: OrderEventType, sequence: number): string => `${type}-${uuid}-${sequence}`

const detailOf = (
  header: Header,
  { at, sequence, type }: { at: string; sequence: number; type: OrderEventType },
): OrderEventDetail => ({
  schema: eventSchema,
  id: eventId(header, type, sequence),
  customers_id: header.customers_id,
  time: at,
  sequence,
  order_id: header.id,
  uuid: header.uuid,
  number: header.number,
  status: header.status,
  paid: header.paid,
  payment_type: header.payment_type,
  net: header.net,
  tax: header.tax,
  gross: header.gross,
})

/** Returns the events of an order's history from an entry on, with the order's present sums and status. */
export const eventsOf = ({ header, history }: OrderHistory, from = 0): OutboxItem[] => {
  let [sequence, after] = [0, 0]
  return history.flatMap(({ at, event, status }, n) => {
    // Crediting all of an order that is not shipped cancels it.
    const type = event === 'credit_rest' && status === 'cancelled' ? 'order.cancelled' : typeOf[event]
    if (!type) return []
    const item = { type, detail: detailOf(header, { at, sequence: ++sequence, type }), after }
    after = parseTimestamp(at)
    return n < from ? [] : [item]
  })
}

/**
 * Returns the actions that store a changed order's events in the outbox, for the transaction of the change. They stay there
 * until the bus has accepted them. `from` is the length of the history before the change.
 */
export const outboxActions = (merchant: MerchantId, order: OrderHistory, from = 0): Action[] =>
  eventsOf(order, from).map(item => {
    const { order_id, sequence } = item.detail
    return put(`event ${sequence}`, key('outbox', { merchant, order: order_id, sequence }), item)
  })
