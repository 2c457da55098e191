import { setTimeout as pause } from 'node:timers/promises'
import type { OutboxItem } from '../platform/table/items.ts'
import { key, type MerchantId, partition } from '../platform/table/keys.ts'
import { deleteItem, query } from '../platform/table/table.ts'
import { type PendingEvent, publishInOrder } from './publish-in-order.ts'

// Longer than a request to the table may take: what was being written then has shown by now, or was refused. One second of
// it is what a timestamp leaves out.
const watchedMs = 4000
const waitMs = 300
const mostAtOnce = 1000

/**
 * The events of one order that may be told: those before which nothing can be missing. A transaction shows item by item, so
 * an event may show before the one that was written before it.
 */
const ripe = (items: readonly OutboxItem[], now: number): OutboxItem[] => {
  const isRipe = ({ detail, after }: OutboxItem, n: number): boolean =>
    detail.sequence === (items[n - 1]?.detail.sequence ?? 0) + 1 || now - after >= watchedMs
  const end = items.findIndex((item, n) => !isRipe(item, n))
  return items.slice(0, end < 0 ? items.length : end)
}

const tellingOf =
  (merchant: MerchantId) =>
  ({ type, detail }: OutboxItem): PendingEvent => {
    const place = key('outbox', { merchant, order: detail.order_id, sequence: detail.sequence })
    return { event: { type, detail }, told: () => deleteItem(place) }
  }

/** Whether events of a merchant's orders wait for the bus; one that was written a moment ago may be missing. */
export const hasUnpublishedOrders = async (merchant: MerchantId): Promise<boolean> =>
  (await query({ pk: partition('outbox', { merchant }), limit: 1, eventual: true })).length > 0

/**
 * Tells the bus of a merchant's orders, what happened to each in its order, until nothing is left or the time is over
 * (epoch milliseconds). An event is forgotten only when the bus has it: whoever is stopped between the two tells it again,
 * under the same id. Throws when the bus does not take an event.
 */
export const publishOrders = async (merchant: MerchantId, until: number): Promise<void> => {
  for (;;) {
    const items = await query({ pk: partition('outbox', { merchant }), limit: mostAtOnce })
    if (items.length === 0) return
    const lanes = [...Map.groupBy(items, ({ detail }) => detail.order_id).values()]
    const now = Date.now()
    const tellings = lanes.map(lane => ripe(lane, now).map(tellingOf(merchant)))
    const { givenUp } = await publishInOrder(tellings, until)
    if (givenUp > 0) throw new Error(`the bus does not take the events of ${givenUp} orders`)
    if (Date.now() > until) return
    await pause(waitMs)
  }
}
