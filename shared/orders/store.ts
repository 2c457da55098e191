import type { CountedStock } from '../catalogue/goods.ts'
import { Problem } from '../contract/errors.ts'
import type { Client } from '../contract/records/client.ts'
import { outboxActions } from '../events/outbox.ts'
import { absent, type Clause, equals, present } from '../platform/table/expressions.ts'
import { untilShown } from '../platform/table/failures.ts'
import type { Merchant, OrderItem, OrderItemsPart, StockItem } from '../platform/table/items.ts'
import { indexKey, key, type MerchantId } from '../platform/table/keys.ts'
import { getItem, getItemGroups, getItems } from '../platform/table/table.ts'
import { type Action, put, update } from '../platform/table/transact.ts'
import { counterKeys, type Numbers, numbersIn, updateNumbers } from './numbering/numbers.ts'
import { itemOf, type OrderRecord, orderOf, type SoldItems, unpackSold } from './record.ts'

export type OrderIdentifier = { id?: number | null | undefined; uuid?: string | null | undefined }

const notFound = (because = 'the merchant has none with this id') => new Problem('order_not_found', { because })

/** The signed-in client, if any: it sees only its own orders, and only its own prices in them. */
export type OrderOwner = Pick<Client, 'id' | 'price_range_id'> | undefined

/** Throws order_not_found if a client is signed in and the order is not its own. */
export const checkOwnOrder = ({ header }: Pick<OrderRecord, 'header'>, own: OrderOwner): void => {
  if (own && header.client_id !== own.id) throw notFound('it belongs to another client')
}

/** The identifier from a request that may name the uuid as `order_id`. Throws identifier_conflict. */
export const identifierOf = ({
  id,
  uuid,
  order_id,
}: OrderIdentifier & { order_id?: string | null | undefined }): OrderIdentifier => {
  if (uuid && order_id && uuid !== order_id) {
    throw new Problem('identifier_conflict', { details: '`uuid` and `order_id` identify different orders.' })
  }
  return { id, uuid: uuid ?? order_id }
}

/** The id of an identified order. Throws missing_identifier, identifier_conflict or order_not_found. */
export const orderIdOf = async (merchant: MerchantId, { id, uuid }: OrderIdentifier): Promise<number> => {
  if (!uuid) {
    if (id) return id
    throw new Problem('missing_identifier', { details: '`id` or `uuid` is required.' })
  }
  const pointer = await getItem(key('orderUuid', { merchant, uuid }))
  if (!pointer) throw notFound('the merchant has none with this uuid')
  if (id && id !== pointer.id)
    throw new Problem('identifier_conflict', { details: '`id` and `uuid` identify different orders.' })
  return pointer.id
}

/**
 * Reads an identified order; an order that a uuid names may show late. Throws what orderIdOf and the read throw.
 */
export const readIdentified = async <T>(
  merchant: MerchantId,
  identifier: OrderIdentifier,
  read: (id: number) => Promise<T>,
): Promise<T> => {
  const id = await orderIdOf(merchant, identifier)
  return identifier.uuid ? untilShown(() => read(id)) : read(id)
}

/** The key of a part of an order's sold lines. */
export const partKey = (merchant: MerchantId, order: number, part: number) =>
  key('orderItems', { merchant, order, part })

/** An order with the first part of its sold lines; only very large orders have more parts. */
export type StoredOrder = { order: OrderRecord; firstPart: OrderItemsPart }

/** Reads the rest of an order's sold lines. */
export const soldOf = async (merchant: MerchantId, { order, firstPart }: StoredOrder): Promise<SoldItems> => {
  const rest = Array.from({ length: order.parts - 1 }, (_, n) => partKey(merchant, order.header.id, n + 1))
  const others = await untilShown(async () => {
    const parts = (await getItems(rest)).filter(part => part !== undefined)
    return parts.length === rest.length ? parts : undefined
  })
  return unpackSold([firstPart, ...others])
}

/** The first part of an order's sold lines, once it shows; by BatchGetItem, for which routes that read orders have the right. */
export const firstPartOf = (merchant: MerchantId, id: number): Promise<OrderItemsPart> =>
  untilShown(async () => (await getItems([partKey(merchant, id, 0)]))[0])

/** Reads an order. Throws order_not_found. */
export const readOrder = async (merchant: MerchantId, id: number): Promise<StoredOrder> => {
  const [item, firstPart] = await getItems([key('order', { merchant, id }), partKey(merchant, id, 0)])
  if (!item) throw notFound()
  return { order: orderOf(item), firstPart: firstPart ?? (await firstPartOf(merchant, id)) }
}

/** An order to be changed, with its version, the merchant and its numbers. */
export type LoadedOrder = StoredOrder & { version: number; numbers: Numbers; merchant: Merchant }

const load = async (merchant: MerchantId, id: number): Promise<LoadedOrder> => {
  const { order, parts, found, merchants } = await getItemGroups({
    order: [key('order', { merchant, id })],
    parts: [partKey(merchant, id, 0)],
    found: counterKeys(merchant),
    merchants: [key('merchant', { merchant })],
  })
  const [[item], [firstPart], [account], numbers] = [order, parts, merchants, numbersIn(found)]
  if (!item || !numbers || !account) throw notFound()
  const { version } = item
  return {
    order: orderOf(item),
    version,
    numbers,
    merchant: account,
    firstPart: firstPart ?? (await firstPartOf(merchant, id)),
  }
}

/** Reads an order for a change, in one request; an order that a uuid names may show late. Throws order_not_found. */
export const loadOrder = (merchant: MerchantId, id: number, isNamed = false): Promise<LoadedOrder> =>
  isNamed ? untilShown(() => load(merchant, id)) : load(merchant, id)

/** Reads an order without its sold lines, and its version. Throws order_not_found. */
export const readOrderVersion = async (
  merchant: MerchantId,
  id: number,
): Promise<{ order: OrderRecord; version: number }> => {
  const item = await getItem(key('order', { merchant, id }))
  if (!item) throw notFound()
  return { order: orderOf(item), version: item.version }
}

/** Writes an order; the index lists it for its client. */
const writeOrder = (
  merchant: MerchantId,
  order: OrderRecord,
  version: number,
  when: readonly Clause<OrderItem>[],
): Action => {
  const { id, client_id: client } = order.header
  const index = client === null ? undefined : indexKey('order', { client, id })
  return put('order', key('order', { merchant, id }), itemOf(order, version), { when, index })
}

export const addOrder = (merchant: MerchantId, order: OrderRecord): Action => writeOrder(merchant, order, 1, [absent])

/** Replaces the version of an order that was read. */
export const putOrder = (merchant: MerchantId, order: OrderRecord, version: number): Action =>
  writeOrder(merchant, order, version + 1, [present, equals('version', version)])

/** The actions that write a changed order, its new events and its numbers, on condition that nothing has changed since it was read. */
export const changeActions = (
  merchant: MerchantId,
  { order: before, version, numbers }: LoadedOrder,
  after: { order: OrderRecord; numbers: Numbers },
): Action[] => [
  putOrder(merchant, after.order, version),
  ...outboxActions(merchant, after.order, before.history.length),
  ...updateNumbers(merchant, numbers, after.numbers),
]

const addToStock = (
  merchant: MerchantId,
  { type, id }: CountedStock,
  quantity: number,
  condition: Clause<StockItem>,
): Action => update(`stock ${type}#${id}`, key('stock', { merchant, type, id }), { add: { quantity } }, [condition])

/** Takes counted stock for a sale: refused when it is not counted any more, or less is left. */
export const takeStock = (merchant: MerchantId, counted: CountedStock): Action =>
  addToStock(merchant, counted, -counted.quantity, { attribute: 'quantity', is: '>=', value: counted.quantity })

/** Returns the stock of a cancelled sale, except what is no longer counted: each write is refused for that. */
export const returnStocks = (
  merchant: MerchantId,
  counted: readonly CountedStock[],
  uncounted: ReadonlySet<string>,
): Action[] =>
  counted.map(one => addToStock(merchant, one, one.quantity, present)).filter(({ name }) => !uncounted.has(name))

/** Opens the basket of a cancelled order again, unless it is gone. */
export const reopenBasket = (merchant: MerchantId, { basket, header }: OrderRecord, isGone: boolean): Action[] => {
  if (!basket || isGone) return []
  const change = { remove: ['ordered'], set: { cancelled: header.uuid } } as const
  return [update('basket', key('basket', { merchant, uuid: basket }), change, [present])]
}
