import type { OrderEventDetail, OrderEventType } from '../contract/events.ts'
import { eventSchema } from '../contract/events.ts'
import type { Header } from '../contract/records/order.ts'
import type { OutboxItem } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { type Action, put } from '../platform/table/transact.ts'
import { parseTimestamp } from '../values/time.ts'

/** What of an order its events are made from. */
type Told = { header: Header; history: readonly { at: string; event: string }[] }

/** What other systems are told of an order's history; the other steps are the merchant's own. */
const typeOf: Readonly<Record<string, OrderEventType>> = {
  add: 'order.placed',
  payment_completed: 'order.paid',
  money_received: 'order.paid',
  ship: 'order.shipped',
  payment_returned: 'order.refunded',
  cancel: 'order.cancelled',
  refund: 'order.cancelled',
  expire: 'order.cancelled',
}

// Not by the order's number: where yesterday's data came back, another order has it, and what became of one may differ.
const idOf = ({ uuid }: Header, type: OrderEventType, sequence: number): string => `${type}-${uuid}-${sequence}`

const detailOf = (
  header: Header,
  { at, sequence, type }: { at: string; sequence: number; type: OrderEventType },
): OrderEventDetail => ({
  schema: eventSchema,
  id: idOf(header, type, sequence),
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

/** The events of an order's history from an entry on, as the order is after them. */
export const eventsOf = ({ header, history }: Told, from = 0): OutboxItem[] => {
  let [sequence, after] = [0, 0]
  return history.flatMap(({ at, event }, n) => {
    const type = typeOf[event]
    if (!type) return []
    const item = { type, detail: detailOf(header, { at, sequence: ++sequence, type }), after }
    after = parseTimestamp(at)
    return n < from ? [] : [item]
  })
}

/**
 * Writes the events of a changed order along with it, so that none is lost whatever ends afterwards: they stay until the
 * bus has taken them. `from` is how long the history was before.
 */
export const outboxActions = (merchant: MerchantId, order: Told, from = 0): Action[] =>
  eventsOf(order, from).map(item => {
    const { order_id, sequence } = item.detail
    return put(`event ${sequence}`, key('outbox', { merchant, order: order_id, sequence }), item)
  })
