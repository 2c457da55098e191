import { type Page, pageOf } from '../contract/page.ts'
import type { Order } from '../contract/records/order.ts'
import type { OrderRelation } from '../contract/vocabulary.ts'
import type { OrderItem } from '../table/items.ts'
import { key, type MerchantId, partition, sortable } from '../table/keys.ts'
import { getItem, getItems, query } from '../table/table.ts'
import { type OrderRecord, orderOf, type SoldItems } from './record.ts'
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

const soldOfAll = async (merchant: MerchantId, orders: readonly OrderRecord[]): Promise<(SoldItems | undefined)[]> => {
  const firstParts = await getItems(orders.map(({ header }) => partKey(merchant, header.id, 0)))
  return Promise.all(
    orders.map((order, n) => {
      const firstPart = firstParts[n]
      return firstPart && soldOf(merchant, { order, firstPart })
    }),
  )
}

type OrdersRange = { newest: number; items: OrderItem[] }

// Order ids count up without gaps, so a page is a key range; the newest order's id is the number of orders.
const firstPage = async (merchant: MerchantId, size: number): Promise<OrdersRange> => {
  const items = await query({ pk: partition('order', { merchant }), descending: true, limit: size })
  return { newest: items[0] ? orderOf(items[0]).header.id : 0, items }
}

const laterPage = async (merchant: MerchantId, page: number, size: number): Promise<OrdersRange> => {
  const newest = (await getItem(key('numbers', { merchant, counter: 'orders' })))?.last ?? 0
  const last = newest - (page - 1) * size
  if (last < 1) return { newest, items: [] }
  const between = [sortable(Math.max(1, last - size + 1)), sortable(last)] as const
  return { newest, items: await query({ pk: partition('order', { merchant }), between, descending: true }) }
}

/** Lists orders, the newest first. The cost of a page does not depend on its number. */
export const listOrders = async (
  merchant: MerchantId,
  page: number,
  size: number,
  include: Relations,
): Promise<Page<Order>> => {
  const { newest, items } = page === 1 ? await firstPage(merchant, size) : await laterPage(merchant, page, size)
  const orders = items.map(orderOf)
  const sold = include.has('items') ? await soldOfAll(merchant, orders) : []
  return pageOf(
    orders.map((order, n) => orderView(order, include, sold[n])),
    newest,
    page,
    size,
  )
}
