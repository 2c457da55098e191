import type { Numbers } from '../../shared/orders/numbers.ts'
import { type OrderRecord, orderOf, type Sold, type SoldItem, unpackSold } from '../../shared/orders/record.ts'
import type { PaymentItem } from '../../shared/payments/record.ts'
import type { SandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { type ItemKind, type Key, key, type MerchantId, partition } from '../../shared/table/keys.ts'
import { getItem, getItems, type Item, query } from '../../shared/table/table.ts'

/** An order, what it sold, and how many parts of that there are. */
export type Kept = { order: OrderRecord; sold: Sold; parts: number }
type Basket = { uuid: string; ordered?: { uuid: string } }

/** A merchant's orders and everything that hangs on them. */
export type Data = {
  numbers: Numbers
  orders: Kept[]
  partCount: number
  pointers: Map<string, number>
  repeats: { uuid: string }[]
  payments: Map<string, PaymentItem>
  sandbox: Map<string, SandboxPayment>
  baskets: Map<string, Basket>
  stock: Map<string, number>
}

const all = <T extends Item>(shape: ItemKind, merchant: MerchantId) =>
  query<T & Key>({ pk: partition(shape as 'order', { merchant }) })

const byOrder = (items: (SoldItem & Key)[]): Map<number, SoldItem[]> =>
  Map.groupBy(items, ({ sk }) => Number(sk.split('#')[0]))

const ordersIn = (items: Item[], parts: Map<number, SoldItem[]>): Promise<Kept[]> =>
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
  const [numbers, orders, parts, uuids, repeats, payments, baskets, stock] = await Promise.all([
    getItem<Numbers>(key('numbers', { merchant })),
    all('order', merchant),
    all<SoldItem>('orderItems', merchant),
    all<{ id: number }>('orderUuid', merchant),
    all<{ uuid: string }>('idempotency', merchant),
    all<PaymentItem>('payment', merchant),
    all<Basket>('basket', merchant),
    all<{ quantity: number }>('stock', merchant),
  ])
  const external = payments.flatMap(({ external_id: id }) => (id?.startsWith('SBX') ? [id] : []))
  const sandbox = await getItems<SandboxPayment>(external.map(id => key('sandboxPayment', { id })))
  return {
    numbers: numbers as Numbers,
    orders: await ordersIn(orders, byOrder(parts)),
    partCount: parts.length,
    pointers: new Map(uuids.map(({ sk, id }) => [sk, id])),
    repeats,
    payments: new Map(payments.map(payment => [payment.uuid, payment])),
    sandbox: new Map(sandbox.flatMap(payment => (payment ? [[payment.id, payment]] : []))),
    baskets: new Map(baskets.map(basket => [basket.uuid, basket])),
    stock: new Map(stock.map(({ sk, quantity }) => [stockName(sk), quantity])),
  }
}

/** `wine#0000000000000012` as `wine#12`. */
const stockName = (sk: string): string => sk.replace(/#0+(?=\d)/, '#')
