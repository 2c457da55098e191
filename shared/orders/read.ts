import { boundedPage, type Page, recordsBefore, type WantedPage } from '../contract/page.ts'
import type { Order } from '../contract/records/order.ts'
import type { OrderRelation } from '../contract/vocabulary.ts'
import type { OrderItem } from '../table/items.ts'
import { key, type MerchantId, partition, sortable } from '../table/keys.ts'
import { getItem, getItems, query } from '../table/table.ts'
import { type OrderRecord, orderOf } from './record.ts'
import { type OrderIdentifier, orderIdOf, partKey, readOrder, soldOf } from './store.ts'
import { orderView } from './view.ts'

type Relations = ReadonlySet<OrderRelation>

/** Reads an order as it is shown. Throws order_not_found, and what identifying it wrongly throws. */
export const getOrder = async (
  merchant: MerchantId,
  identifier: OrderIdentifier,
  include: Relations,
): Promise<Order> => {
  const stored = await readOrder(merchant, await orderIdOf(merchant, identifier))
  return orderView(stored.order, include, await soldOf(merchant, stored))
}

// So many orders' compressed lines are read at once, 9 MB at most; a request for each would cost more time.
const groupSize = 25

/** Orders as they are shown, unpacked one after the other: what a long one sold takes megabytes. */
async function* viewsOf(
  merchant: MerchantId,
  orders: readonly OrderRecord[],
  include: Relations,
): AsyncGenerator<Order> {
  if (!include.has('items')) {
    yield* orders.map(order => orderView(order, include))
    return
  }
  for (let at = 0; at < orders.length; at += groupSize) {
    const group = orders.slice(at, at + groupSize)
    const firstParts = await getItems(group.map(({ header }) => partKey(merchant, header.id, 0)))
    for (const [n, order] of group.entries()) {
      const firstPart = firstParts[n]
      yield orderView(order, include, firstPart && (await soldOf(merchant, { order, firstPart })))
    }
  }
}

type OrdersRange = { newest: number; items: OrderItem[] }

// Order ids count up without gaps, so a page is a key range; the newest order's id is the number of orders.
const firstPage = async (merchant: MerchantId, size: number): Promise<OrdersRange> => {
  const items = await query({ pk: partition('order', { merchant }), descending: true, limit: size })
  return { newest: items[0] ? orderOf(items[0]).header.id : 0, items }
}

const laterPage = async (merchant: MerchantId, before: number, size: number): Promise<OrdersRange> => {
  const newest = (await getItem(key('numbers', { merchant })))?.orders ?? 0
  const last = newest - before
  if (last < 1) return { newest, items: [] }
  const between = [sortable(Math.max(1, last - size + 1)), sortable(last)] as const
  return { newest, items: await query({ pk: partition('order', { merchant }), between, descending: true }) }
}

/**
 * Lists orders, the newest first. The cost of a page does not depend on its place; one of long orders ends early.
 */
export const listOrders = async (
  merchant: MerchantId,
  wanted: WantedPage,
  include: Relations,
): Promise<Page<Order>> => {
  const [before, size] = [recordsBefore(wanted), wanted.pageSize]
  const { newest, items } = before === 0 ? await firstPage(merchant, size) : await laterPage(merchant, before, size)
  return boundedPage(wanted, newest, viewsOf(merchant, items.map(orderOf), include))
}
