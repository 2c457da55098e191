import { Problem } from '../contract/errors.ts'
import type { Order, Relation } from '../contract/orders.ts'
import { type Page, pageOf } from '../contract/page.ts'
import { key, type MerchantId, partition, sortable } from '../table/keys.ts'
import { getItem, getItems, query } from '../table/table.ts'
import type { Numbers } from './numbers.ts'
import { type OrderItem, type OrderRecord, orderOf, type Sold, type SoldItem, unpackSold } from './record.ts'
import { orderView } from './view.ts'

/** What names an order. */
export type OrderIdentifier = { id?: number | null | undefined; uuid?: string | null | undefined }

/** What names an order when its uuid may also stand under `order_id`. Throws identifier_conflict. */
export const namedOrder = ({
  id,
  uuid,
  order_id,
}: OrderIdentifier & { order_id?: string | null | undefined }): OrderIdentifier => {
  if (uuid && order_id && uuid !== order_id) {
    throw new Problem('identifier_conflict', { details: 'uuid and order_id name different orders' })
  }
  return { id: id ?? null, uuid: uuid ?? order_id ?? null }
}

const notFound = () => new Problem('order_not_found')

/** The key of one part of what an order sold. */
export const partKey = (merchant: MerchantId, order: number, part: number) =>
  key('orderItems', { merchant, order, part })

/** What an order sold. The first part comes with the order; only very large orders have more. */
export const soldOf = async (merchant: MerchantId, order: OrderRecord, first: SoldItem): Promise<Sold> => {
  const rest = Array.from({ length: order.parts - 1 }, (_, n) => partKey(merchant, order.header.id, n + 1))
  const others = rest.length > 0 ? await getItems<SoldItem>(rest) : []
  return unpackSold([first, ...others.filter(part => part !== undefined)])
}

/** The id of the order that is named. Throws missing_identifier, identifier_conflict or order_not_found. */
export const orderIdOf = async (merchant: MerchantId, { id, uuid }: OrderIdentifier): Promise<number> => {
  if (!id && !uuid) throw new Problem('missing_identifier', { details: 'id or uuid is required' })
  if (!uuid) return id as number
  const pointer = await getItem<{ id: number }>(key('orderUuid', { merchant, uuid }))
  if (!pointer) throw notFound()
  if (id && id !== pointer.id)
    throw new Problem('identifier_conflict', { details: 'id and uuid name different orders' })
  return pointer.id
}

/** Reads an order and what it sold. Throws order_not_found, and what naming it wrongly throws. */
export const findOrder = async (
  merchant: MerchantId,
  named: OrderIdentifier,
): Promise<{ order: OrderRecord; sold: Sold }> => {
  const id = await orderIdOf(merchant, named)
  const [item, first] = await getItems([key('order', { merchant, id }), partKey(merchant, id, 0)])
  if (!item || !first) throw notFound()
  const order = orderOf(item)
  return { order, sold: await soldOf(merchant, order, first as unknown as SoldItem) }
}

/** Reads an order as it is answered. */
export const getOrder = async (
  merchant: MerchantId,
  named: OrderIdentifier,
  include: ReadonlySet<Relation>,
): Promise<Order> => {
  const { order, sold } = await findOrder(merchant, named)
  return orderView(order, include, sold)
}

const soldOfAll = async (merchant: MerchantId, orders: readonly OrderRecord[]): Promise<Sold[]> => {
  const firsts = await getItems<SoldItem>(orders.map(({ header }) => partKey(merchant, header.id, 0)))
  return Promise.all(orders.map((order, n) => soldOf(merchant, order, firsts[n] as SoldItem)))
}

type Range = { newest: number; items: OrderItem[] }

// Order ids count up without gaps, so a page is a key range; the newest order's id is the number of orders.
const firstPage = async (pk: string, size: number): Promise<Range> => {
  const items = await query<OrderItem>({ pk, descending: true, limit: size })
  return { newest: items[0] ? orderOf(items[0]).header.id : 0, items }
}

const laterPage = async (merchant: MerchantId, pk: string, page: number, size: number): Promise<Range> => {
  const numbers = await getItem<Numbers>(key('numbers', { merchant }))
  const newest = numbers?.orders ?? 0
  const last = newest - (page - 1) * size
  if (last < 1) return { newest, items: [] }
  const between = [sortable(Math.max(1, last - size + 1)), sortable(last)] as const
  return { newest, items: await query<OrderItem>({ pk, between, descending: true }) }
}

/** Lists orders, the newest first. The cost of a page does not depend on its number. */
export const listOrders = async (
  merchant: MerchantId,
  page: number,
  size: number,
  include: ReadonlySet<Relation>,
): Promise<Page<Order>> => {
  const pk = partition('order', { merchant })
  const { newest, items } = page === 1 ? await firstPage(pk, size) : await laterPage(merchant, pk, page, size)
  const orders = items.map(orderOf)
  const sold = include.has('items') ? await soldOfAll(merchant, orders) : []
  return pageOf(
    orders.map((order, n) => orderView(order, include, sold[n])),
    newest,
    page,
    size,
  )
}
