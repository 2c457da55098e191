import type { ItemKind } from '../../shared/contract/item-kinds.ts'
import { counterKeys, type Numbers, numbersIn } from '../../shared/orders/numbering/numbers.ts'
import { type OrderRecord, orderOf, type SoldItems, unpackSold } from '../../shared/orders/record.ts'
import type {
  BasketItem,
  IdempotencyItem,
  OrderItem,
  OrderItemsPart,
  PaymentItem,
  SandboxPaymentItem,
} from '../../shared/platform/table/items.ts'
import { type ItemOf, key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { type Entry, getItems, queryEntries } from '../../shared/platform/table/table.ts'

/** An order, what it sold, and how many parts of that there are. */
export type Kept = { order: OrderRecord; sold: SoldItems; parts: number }

/** A merchant's orders and everything that hangs on them. */
export type Data = {
  numbers: Numbers
  orders: Kept[]
  partCount: number
  pointers: Map<string, number>
  repeats: IdempotencyItem[]
  payments: Map<string, PaymentItem>
  /** Where the payments that wait stand in the table's index. */
  places: Map<string, string | undefined>
  sandbox: Map<string, SandboxPaymentItem>
  baskets: Map<string, BasketItem>
  stock: Map<string, number>
}

const all = <K extends ItemKind>(kind: K, merchant: MerchantId): Promise<Entry<ItemOf<K>>[]> =>
  queryEntries({ pk: partition(kind as 'order', { merchant }) }) as never

const itemsIn = <Item>(entries: readonly Entry<Item>[]): Item[] => entries.map(({ item }) => item)

const byOrder = (parts: Entry<OrderItemsPart>[]): Map<number, OrderItemsPart[]> => {
  const groups = Map.groupBy(parts, ({ sk }) => Number(sk.split('#')[0]))
  return new Map([...groups].map(([order, entries]) => [order, itemsIn(entries)]))
}

const ordersIn = (items: OrderItem[], parts: Map<number, OrderItemsPart[]>): Promise<Kept[]> =>
  Promise.all(
    items.map(async item => {
      const order = orderOf(item)
      const own = parts.get(order.header.id) ?? []
      const sold = own.length > 0 ? await unpackSold(own) : { positions: [], package: null }
      return { order, sold, parts: own.length }
    }),
  )

/** Reads all of it as the operator. */
export const readAll = async (merchant: MerchantId): Promise<Data> => {
  const [numbers, orders, parts, uuids, repeats, paymentEntries, baskets, stock] = await Promise.all([
    getItems(counterKeys(merchant)),
    all('order', merchant),
    all('orderItems', merchant),
    all('orderUuid', merchant),
    all('idempotency', merchant),
    all('payment', merchant),
    all('basket', merchant),
    all('stock', merchant),
  ])
  const payments = itemsIn(paymentEntries)
  const external = payments.flatMap(({ external_id: id }) => (id?.startsWith('SBX') ? [id] : []))
  const sandbox = await getItems(external.map(id => key('sandboxPayment', { id })))
  return {
    numbers: numbersIn(numbers) ?? { orders: 0, invoices: 0, deliveryNotes: 0, creditAdvices: 0 },
    orders: await ordersIn(itemsIn(orders), byOrder(parts)),
    partCount: parts.length,
    pointers: new Map(uuids.map(({ sk, item }) => [sk, item.id])),
    repeats: itemsIn(repeats),
    payments: new Map(payments.map(payment => [payment.uuid, payment])),
    places: new Map(paymentEntries.map(({ item, index }) => [item.uuid, index])),
    sandbox: new Map(sandbox.flatMap(payment => (payment ? [[payment.id, payment]] : []))),
    baskets: new Map(itemsIn(baskets).map(basket => [basket.uuid, basket])),
    stock: new Map(stock.map(({ sk, item }) => [stockName(sk), item.quantity])),
  }
}

/** `wine#0000000000000012` as `wine#12`. */
const stockName = (sk: string): string => sk.replace(/#0+(?=\d)/, '#')
