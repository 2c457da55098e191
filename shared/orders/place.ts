import type { NewOrder, Order, Relation } from '../contract/orders.ts'
import { relations } from '../contract/orders.ts'
import { absent, equals } from '../table/expressions.ts'
import { Unavailable } from '../table/failures.ts'
import { key } from '../table/keys.ts'
import { getItem } from '../table/table.ts'
import { type Action, retrying, transact } from '../table/transact.ts'
import { composeOrder, numbersAfter, type Placing } from './compose.ts'
import type { Numbers } from './numbers.ts'
import { priceOrder } from './pricing.ts'
import { type OrderItem, type OrderRecord, packSold, type Sold } from './record.ts'
import { readReferences } from './references.ts'
import { orderView } from './view.ts'

/** The relations an order is answered with when it was just written. */
export const allRelations: ReadonlySet<Relation> = new Set(relations.filter(relation => relation !== 'user'))

const itemOf = (order: OrderRecord): OrderItem => ({ uuid: order.header.uuid, version: 1, doc: JSON.stringify(order) })

const actionsOf = ({ merchant }: Placing, order: OrderRecord, parts: readonly Buffer[], seen: Numbers): Action[] => {
  const { id, uuid } = order.header
  return [
    // The numbers are taken under the value they were read with: they stay dense, and a lost race is tried again.
    {
      name: 'numbers',
      key: key('numbers', { merchant }),
      when: [equals('orders', seen.orders), equals('invoices', seen.invoices)],
      update: { set: numbersAfter(seen, order) },
    },
    { name: 'order', key: key('order', { merchant, id }), when: [absent], put: itemOf(order) },
    { name: 'uuid', key: key('orderUuid', { merchant, uuid }), when: [absent], put: { id } },
    ...parts.map((doc, part) => ({
      name: `part ${part}`,
      key: key('orderItems', { merchant, order: id, part }),
      when: [absent],
      put: { doc },
    })),
  ]
}

/** Whether an order whose write got no answer is there all the same. */
const wasWritten = async ({ merchant }: Placing, uuid: string): Promise<boolean> =>
  (await getItem(key('orderUuid', { merchant, uuid }))) !== undefined

const write = async (placing: Placing, order: OrderRecord, parts: readonly Buffer[], seen: Numbers): Promise<void> => {
  const { uuid } = order.header
  try {
    await transact(actionsOf(placing, order, parts, seen), uuid)
  } catch (error) {
    if (error instanceof Unavailable && (await wasWritten(placing, uuid))) return
    throw error
  }
}

const attempt = async (placing: Placing, data: NewOrder): Promise<{ order: OrderRecord; sold: Sold }> => {
  const references = await readReferences(placing.merchant, data)
  const priced = priceOrder(data, references)
  const parts = await packSold(priced.sold)
  const order = { ...composeOrder(placing, data, references, priced), parts: parts.length }
  await write(placing, order, parts, references.numbers)
  return { order, sold: priced.sold }
}

/**
 * Places an order: reads what it refers to, prices it, and writes order, numbers and documents in one transaction.
 * Throws the contract's refusals; nothing is stored then.
 */
export const placeOrder = async (placing: Placing, data: NewOrder): Promise<Order> => {
  const { order, sold } = await retrying(
    () => attempt(placing, data),
    error => error.contended || error.failed('numbers'),
  )
  return orderView(order, allRelations, sold)
}
