import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { completeClient } from '../../shared/contract/records/client.ts'
import { completeProduct } from '../../shared/contract/records/product.ts'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { lead, leaderKey } from '../../shared/orders/numbering/queue.ts'
import { draftOf, type PlaceRequest, readSource } from '../../shared/orders/placing/draft.ts'
import { groupCommit } from '../../shared/orders/placing/group-commit.ts'
import { placeOrder, previewOrder } from '../../shared/orders/placing/place.ts'
import { type Draft, encodeDraft } from '../../shared/orders/placing/queued-draft.ts'
import { orderOf, unpackSold } from '../../shared/orders/record.ts'
import { firstPartOf } from '../../shared/orders/store.ts'
import type { BasketItem } from '../../shared/platform/table/items.ts'
import { key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, query, queryEntries } from '../../shared/platform/table/table.ts'

/** Ordered quantities by product id, as items of a request. */
export const productsOf = (quantities: Record<number, number>): object[] =>
  Object.entries(quantities).map(([id, quantity]) => ({ item_type: 'product', item_id: Number(id), quantity }))

/** An unknown guest, with a delivery address. */
export const guest = (mail: string | null = null) => {
  const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'DE' }
  return {
    billing_id: undefined,
    billing: { ...home, last_name: 'Gast', mail },
    delivery: { ...home, last_name: 'Nachbar' },
  }
}

/**
 * A merchant with a client and the products 1 to 3, whose stock is not counted. It is made without the functions,
 * so that each test can have its own.
 */
export const newQueueShop = async () => {
  const account = await createMerchant({ name: 'Kellerei Schlange', paymentTypes: ['invoice', 'paypal'] })
  const merchant = account.id as MerchantId
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
  const draft = async (
    data: object = {},
    idempotencyKey: string | null = null,
    basket: BasketItem | null = null,
  ): Promise<Draft> => draftOf(await readSource(placer, request(data, idempotencyKey), basket), randomUUID())
  const waiting = () => queryEntries({ pk: partition('queuedOrder', { merchant }) })
  /** Queues an order, as a request that has died since. */
  const layDraft = async (draft: Draft, more: object = {}): Promise<void> => {
    const order = encodeDraft(draft)
    if (!order) throw new Error('the order is too large to wait')
    const place = key('queuedOrder', { merchant, moment: (await waiting()).length, uuid: order.uuid })
    await putItem(place, { ...order, until: Date.now() + 60_000, expires: 1e10, ...more })
  }
  return {
    merchant,
    placer,
    request,
    draft,
    waiting,
    layDraft,
    setProduct,
    setStock: (id: number, quantity: number) => putItem(key('stock', { merchant, type: 'product', id }), { quantity }),
    stockOf: async (id: number) => (await getItem(key('stock', { merchant, type: 'product', id })))?.quantity,
    place: (data: object = {}, idempotencyKey: string | null = null) =>
      placeOrder(placer, request(data, idempotencyKey)),
    preview: (data: object = {}) => previewOrder(placer, request(data)),
    /** Queues orders, one after another. */
    lay: async (...datas: readonly object[]) => {
      for (const data of datas) await layDraft(await draft(data))
    },
    /** From now on a request leads that has died. */
    led: () => putItem(leaderKey(merchant), { owner: 'dead', until: Date.now() + 1500 }),
    /** Leads the queue, as a request of another instance. */
    lead: () => lead(merchant, groupCommit(merchant)),
    /** The reasons of rejected orders that are still stored. */
    rejections: async () => (await waiting()).map(({ item }) => item.rejected),
    sold: async (id: number) => unpackSold([await firstPartOf(merchant, id)]),
    orders: async () => (await query({ pk: partition('order', { merchant }) })).map(orderOf),
  }
}
