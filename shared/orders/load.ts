import { Problem } from '../contract/errors.ts'
import type { Order } from '../contract/orders.ts'
import { relations } from '../contract/orders.ts'
import { equals, present } from '../table/expressions.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { getItems } from '../table/table.ts'
import type { Action } from '../table/transact.ts'
import type { Numbers } from './numbers.ts'
import { itemOf, type OrderItem, type OrderRecord, orderOf, type SoldItem } from './record.ts'
import { partKey, soldOf } from './store.ts'
import { orderView } from './view.ts'

/** The relations an order is answered with when it was just written. */
export const allRelations = new Set(relations.filter(relation => relation !== 'user'))

/** An order to be changed: as it is, under which version, and with the merchant's numbers. */
export type LoadedOrder = { order: OrderRecord; version: number; numbers: Numbers; firstPart: SoldItem }

/** Reads an order and what changing it needs, in one request. Throws order_not_found. */
export const loadOrder = async (merchant: MerchantId, id: number): Promise<LoadedOrder> => {
  const [item, first, numbers] = await getItems([
    key('order', { merchant, id }),
    partKey(merchant, id, 0),
    key('numbers', { merchant }),
  ])
  if (!item || !first) throw new Problem('order_not_found')
  return {
    order: orderOf(item),
    version: (item as unknown as OrderItem).version,
    numbers: numbers as unknown as Numbers,
    firstPart: first as unknown as SoldItem,
  }
}

const isSame = (a: Numbers, b: Numbers): boolean =>
  a.invoices === b.invoices && a.deliveryNotes === b.deliveryNotes && a.creditAdvices === b.creditAdvices

/** The actions that write a changed order and the numbers it took, under what was read. */
export const changeActions = (
  merchant: MerchantId,
  loaded: LoadedOrder,
  after: { order: OrderRecord; numbers: Numbers },
): Action[] => {
  const { id } = loaded.order.header
  const { invoices, deliveryNotes, creditAdvices } = after.numbers
  const seen = loaded.numbers
  const numbers: Action = {
    name: 'numbers',
    key: key('numbers', { merchant }),
    when: [
      equals('invoices', seen.invoices),
      equals('deliveryNotes', seen.deliveryNotes),
      equals('creditAdvices', seen.creditAdvices),
    ],
    update: { set: { invoices, deliveryNotes, creditAdvices } },
  }
  const order: Action = {
    name: 'order',
    key: key('order', { merchant, id }),
    when: [present, equals('version', loaded.version)],
    put: itemOf(after.order, loaded.version + 1),
  }
  return isSame(seen, after.numbers) ? [order] : [order, numbers]
}

/** An order as it is answered after it was written. */
export const answerOf = async (merchant: MerchantId, order: OrderRecord, first: SoldItem): Promise<Order> =>
  orderView(order, allRelations, await soldOf(merchant, order, first))
