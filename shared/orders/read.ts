import type { Order } from '../contract/records/order.ts'
import type { OrderChoice } from '../contract/routes/order-reads.ts'
import { boundedPage, offsetOf, type Page, type PageRequest } from '../contract/schema/lists.ts'
import { shortText } from '../contract/schema/wire.ts'
import type { OrderRelation } from '../contract/vocabulary.ts'
import type { OrderItem } from '../platform/table/items.ts'
import { key, type MerchantId, partition, sortable } from '../platform/table/keys.ts'
import { type Entry, getItem, getItems, queryPages } from '../platform/table/table.ts'
import { withShortTexts } from '../values/text.ts'
import { isFiltered, matchingOrders } from './filter.ts'
import { type OrderRecord, orderOf } from './record.ts'
import {
  checkOwnOrder,
  firstPartOf,
  type OrderIdentifier,
  type OrderOwner,
  partKey,
  readIdentified,
  readOrder,
  soldOf,
} from './store.ts'
import { orderView } from './view.ts'

type Relations = ReadonlySet<OrderRelation>

/**
 * Returns an order, for a signed-in client only its own. Throws order_not_found, missing_identifier or identifier_conflict.
 */
export const getOrder = async (
  merchant: MerchantId,
  identifier: OrderIdentifier,
  include: Relations,
  client?: OrderOwner,
): Promise<Order> => {
  const stored = await readIdentified(merchant, identifier, id => readOrder(merchant, id))
  checkOwnOrder(stored.order, client)
  return orderView(stored.order, include, await soldOf(merchant, stored), client)
}

// The lines of so many orders are read together, at most 9 MB compressed; a request for each would take longer.
const groupSize = 25

/** Views of orders, read and unpacked lazily: the lines of a long order take megabytes. */
async function* viewsOf(
  merchant: MerchantId,
  groups: AsyncIterable<readonly OrderRecord[]> | Iterable<readonly OrderRecord[]>,
  include: Relations,
  client?: OrderOwner,
): AsyncGenerator<Order> {
  for await (const orders of groups) {
    if (include.has('items')) yield* viewsWithItems(merchant, orders, include, client)
    else yield* orders.map(order => orderView(order, include))
  }
}

async function* viewsWithItems(
  merchant: MerchantId,
  orders: readonly OrderRecord[],
  include: Relations,
  client: OrderOwner,
): AsyncGenerator<Order> {
  // Stryker disable next-line EqualityOperator: One more group would be empty, and nothing is read for it.
  for (let at = 0; at < orders.length; at += groupSize) {
    const group = orders.slice(at, at + groupSize)
    const firstParts = await getItems(group.map(({ header }) => partKey(merchant, header.id, 0)))
    for (const [n, order] of group.entries()) {
      const firstPart = firstParts[n] ?? (await firstPartOf(merchant, order.header.id))
      yield orderView(order, include, await soldOf(merchant, { order, firstPart }), client)
    }
  }
}

/** The number of the newest order, and the orders of a page, one group for each response of the table. */
type OrdersRange = { newest: number; groups: AsyncIterable<readonly OrderRecord[]> }

const recordsIn = (entries: readonly Entry<OrderItem>[]): OrderRecord[] => entries.map(({ item }) => orderOf(item))

// Order ids count up without gaps, so a page is a key range; the newest order's id is the number of orders.
const firstPage = async (merchant: MerchantId, size: number): Promise<OrdersRange> => {
  const responses = queryPages({ pk: partition('order', { merchant }), descending: true, limit: size })
  const { value } = await responses.next()
  // Stryker disable next-line ArrayDeclaration: A range is always answered at least once, if by an empty page; the
  // types do not know.
  const first = value ? recordsIn(value) : []
  const groups = async function* () {
    yield first
    for await (const entries of responses) yield recordsIn(entries)
  }
  return { newest: first[0]?.header.id ?? 0, groups: groups() }
}

const laterPage = async (merchant: MerchantId, before: number, size: number): Promise<OrdersRange> => {
  const newest = (await getItem(key('numbers', { merchant, counter: 'orders' })))?.last ?? 0
  const last = newest - before
  const between = [sortable(Math.max(1, last - size + 1)), sortable(last)] as const
  const groups = async function* () {
    if (last < 1) return
    const responses = queryPages({ pk: partition('order', { merchant }), between, descending: true })
    for await (const entries of responses) yield recordsIn(entries)
  }
  return { newest, groups: groups() }
}

async function* shortenTexts(views: AsyncIterable<Order>): AsyncGenerator<Order> {
  for await (const view of views) yield withShortTexts(view, shortText)
}

type WantedOrders = PageRequest & OrderChoice & { short?: 0 | 1 | null | undefined }

/** Lists matching orders, newest first: reads and counts all, and returns those of the page. */
const listMatching = async (
  merchant: MerchantId,
  wanted: WantedOrders,
  include: Relations,
  client?: OrderOwner,
): Promise<Page<Order>> => {
  const first = offsetOf(wanted)
  const found: OrderRecord[] = []
  let count = 0
  for await (const order of matchingOrders(merchant, wanted, client?.id)) {
    if (count >= first && count < first + wanted.pageSize) found.push(order)
    count++
  }
  const views = viewsOf(merchant, [found], include, client)
  return boundedPage(wanted, count, wanted.short ? shortenTexts(views) : views)
}

/**
 * Lists orders, newest first. A page of all orders costs the same wherever it is; a page of long orders ends early. With a
 * filter all orders in its span are read. Throws what matchingOrders throws.
 */
export const listOrders = async (
  merchant: MerchantId,
  wanted: WantedOrders,
  include: Relations,
): Promise<Page<Order>> => {
  if (isFiltered(wanted)) return listMatching(merchant, wanted, include)
  const [before, size] = [offsetOf(wanted), wanted.pageSize]
  const { newest, groups } = before === 0 ? await firstPage(merchant, size) : await laterPage(merchant, before, size)
  const views = viewsOf(merchant, groups, include)
  return boundedPage(wanted, newest, wanted.short ? shortenTexts(views) : views)
}

/**
 * Lists the orders of a client, newest first. Reads all of them to count them, and the sold lines of those of the page.
 */
export const listClientOrders = (
  merchant: MerchantId,
  client: NonNullable<OrderOwner>,
  wanted: WantedOrders,
  include: Relations,
): Promise<Page<Order>> => listMatching(merchant, wanted, include, client)
