import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { NewOrder } from '../../shared/contract/orders.ts'
import { completeClient } from '../../shared/contract/records/client.ts'
import { completeProduct } from '../../shared/contract/records/product.ts'
import { type Draft, draftOf, type PlaceRequest, prepare, readSource } from '../../shared/orders/placing/draft.ts'
import { placeOrder, previewOrder } from '../../shared/orders/placing/place.ts'
import { placeActions } from '../../shared/orders/placing/place-actions.ts'
import { layDown, ordersAlong } from '../../shared/orders/placing/waiting.ts'
import { orderOf } from '../../shared/orders/record.ts'
import { key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { transact } from '../../shared/platform/table/transact.ts'

/** What a request orders of each product, by id. */
export const productsOf = (quantities: Record<number, number>): object[] =>
  Object.entries(quantities).map(([id, quantity]) => ({ item_type: 'product', item_id: Number(id), quantity }))

/** A guest whom the shop does not know, with an address of their own for the goods. */
export const guest = (mail: string | null = null) => {
  const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'DE' }
  return {
    billing_id: undefined,
    billing: { ...home, last_name: 'Gast', mail },
    delivery: { ...home, last_name: 'Nachbar' },
  }
}

/**
 * A merchant with a client and the products 1 to 3, of which nobody counts the stock. It is made without the functions,
 * so that each test can have its own.
 */
export const newQueueShop = async () => {
  const account = await createMerchant({ name: 'Kellerei Schlange', paymentTypes: ['invoice', 'paypal'] })
  const merchant = account.id as MerchantId
  const counter = { merchant, counter: 'orders' } as const
  const setProduct = (id: number, net = '10.00', tax = '1.90', gross = '11.90') => {
    const prices = { net, tax, gross, taxrate: 19 }
    const record = completeProduct({ id, name: `Karaffe ${id}`, ...prices, active: 1, nostock: 0, prices: [] } as never)
    return putItem(key('product', { merchant, id }), { doc: JSON.stringify(record), version: 1 })
  }
  await Promise.all([
    putItem(key('client', { merchant, id: 1 }), completeClient({ id: 1, customers_id: merchant, last_name: 'Krug' })),
    ...[1, 2, 3].map(id => setProduct(id)),
  ])
  const placer = { merchant, user: { id: 1, name: 'test' } }
  const request = (data: object = {}, idempotencyKey: string | null = null): PlaceRequest => ({
    data: v.parse(NewOrder, { billing_id: 1, payment_type: 'invoice', items: productsOf({ 1: 1 }), ...data }),
    idempotencyKey,
  })
  const draft = async (data: object = {}, idempotencyKey: string | null = null): Promise<Draft> =>
    draftOf(await readSource(placer, request(data, idempotencyKey), null), randomUUID())
  /** The tickets of the orders that are placed along with one whose turn it is. */
  const along = async (first: Draft, ticket = 1, left: readonly number[] = [], prepared = prepare(first)) =>
    (await ordersAlong(first, prepared, ticket, new Set(left))).map(one => one.ticket)
  return {
    merchant,
    placer,
    request,
    draft,
    along,
    setProduct,
    setStock: (id: number, quantity: number) => putItem(key('stock', { merchant, type: 'product', id }), { quantity }),
    stockOf: async (id: number) => (await getItem(key('stock', { merchant, type: 'product', id })))?.quantity,
    place: (data: object = {}, idempotencyKey: string | null = null) =>
      placeOrder(placer, request(data, idempotencyKey)),
    preview: (data: object = {}) => previewOrder(placer, request(data)),
    /** Lays orders down under the tickets from one on. */
    lay: async (from: number, datas: readonly object[], until: number) => {
      for (const [n, data] of datas.entries()) await layDown(await draft(data), from + n, until)
    },
    /** From now on, who places an order queues behind one who is gone. */
    queued: async () => {
      await updateItem(key('numbers', counter), { set: { at: Date.now() } })
      await updateItem(key('queue', counter), { add: { tickets: 1 } })
    },
    /** Places an order under the first ticket, and along what waits behind. */
    placeAlong: async (data: object = {}, idempotencyKey: string | null = null) => {
      const first = await draft(data, idempotencyKey)
      const prepared = prepare(first)
      const others = await ordersAlong(first, prepared, 1, new Set())
      const [isDue, used, abandoned] = [true, false, 0]
      const turn = { counter: 'orders', ticket: 1, through: null, abandoned, isDue, used, see: () => {} } as const
      await transact(placeActions(merchant, { first: prepared, waiting: null, along: others }, { ...turn }))
    },
    turn: async () => (await getItem(key('numbers', counter)))?.turn,
    tickets: async () => (await getItem(key('queue', counter)))?.tickets ?? 0,
    orders: async () => (await query({ pk: partition('order', { merchant }) })).map(orderOf),
  }
}
