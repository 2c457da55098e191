import { setTimeout as pause } from 'node:timers/promises'
import type { OutboxItem } from '../platform/table/items.ts'
import { key, type MerchantId, partition } from '../platform/table/keys.ts'
import { deleteItem, query } from '../platform/table/table.ts'
import { type PendingEvent, publishInOrder } from './publish-in-order.ts'

// Longer than a request to the table may take, plus the second that a timestamp rounds off: after it, a concurrent write is
// visible or was refused.
const writeMs = 4000
const waitMs = 300
const maxItems = 1000

/**
 * Returns the events of an order without a gap before them; only these may be published. A transaction becomes visible
 * item by item, so an event may be visible before an earlier event.
 */
const withoutGap = (items: readonly OutboxItem[], now: number): OutboxItem[] => {
  const isNext = ({ detail, after }: OutboxItem, n: number): boolean =>
    detail.sequence === (items[n - 1]?.detail.sequence ?? 0) + 1 || now - after >= writeMs
  const end = items.findIndex((item, n) => !isNext(item, n))
  return items.slice(0, end < 0 ? items.length : end)
}

const pendingEventOf =
  (merchant: MerchantId) =>
  ({ type, detail }: OutboxItem): PendingEvent => {
    const outboxKey = key('outbox', { merchant, order: detail.order_id, sequence: detail.sequence })
    return { event: { type, detail }, published: () => deleteItem(outboxKey) }
  }

/** True if the outbox of a merchant has events; an eventually consistent read. */
export const hasUnpublishedOrders = async (merchant: MerchantId): Promise<boolean> =>
  (await query({ pk: partition('outbox', { merchant }), limit: 1, eventual: true })).length > 0

/**
 * Publishes a merchant's outbox, the events of each order in sequence, until it is empty or `until` (epoch milliseconds).
 * An event is deleted after the bus has accepted it, so a run that is stopped in between publishes it again, with the same
 * id. Throws if the bus refuses an event.
 */
export const publishOrders = async (merchant: MerchantId, until: number): Promise<void> => {
  for (;;) {
    const items = await query({ pk: partition('outbox', { merchant }), limit: maxItems })
    if (items.length === 0) return
    const lanes = [...Map.groupBy(items, ({ detail }) => detail.order_id).values()]
    const now = Date.now()
    const pending = lanes.map(lane => withoutGap(lane, now).map(pendingEventOf(merchant)))
    const { givenUp } = await publishInOrder(pending, until)
    if (givenUp > 0) throw new Error(`the bus does not take the events of ${givenUp} orders`)
    if (Date.now() > until) return
    await pause(waitMs)
  }
}
