import * as v from 'valibot'
import { route } from './route.ts'
import { goodsTypes } from './vocabulary.ts'
import { between, Flag, Id, list, Uuid, word } from './wire.ts'

/** An item of a basket with its record and price of this moment, null when the record is gone; the id is the merchant's, not the basket's. */
export const BasketItem = v.strictObject({
  id: v.number(),
  item_type: word(['wine', 'product', 'rebate', 'package']),
  item_id: v.number(),
  quantity: v.number(),
  item: v.nullable(v.record(v.string(), v.unknown())),
})

/** A basket; `order_uuid` is set while its order waits for an external payment. */
export const Basket = v.strictObject({
  uuid: v.string(),
  basketItems: v.array(BasketItem),
  order_uuid: v.nullable(v.string()),
})

export type Basket = v.InferOutput<typeof Basket>

/** What is put into a basket. */
export const NewItem = v.object({ item_type: word(goodsTypes), item_id: Id, quantity: between(1, 9999) })
export type NewItem = v.InferOutput<typeof NewItem>

const reading = {
  merchant: ['batchGet'],
  wine: ['batchGet'],
  product: ['batchGet'],
  stock: ['batchGet'],
  order: ['get'],
} as const
const changing = { basket: ['get', 'update'], basketItem: ['put', 'get'], ...reading } as const
const errors = ['basket_not_found', 'item_not_found'] as const
const saleErrors = ['item_unavailable', 'insufficient_stock'] as const
const inshop = v.nullish(Flag)

export const basketsAdd = route({
  path: '/service/baskets/add',
  level: 'service',
  forBuyers: true,
  client: 'prices',
  permissions: { basket: ['put'], quota: ['update'] },
  body: v.object({}),
  response: Basket,
  summary: 'Opens an empty basket.',
})

export const basketsGet = route({
  path: '/service/baskets/get',
  level: 'service',
  forBuyers: true,
  client: 'prices',
  permissions: { basket: ['get'], ...reading },
  body: v.object({ uuid: Uuid }),
  response: Basket,
  errors: ['basket_not_found'],
  summary: 'Reads a basket with its items as they are now; a basket whose order is on its way is gone.',
})

export const basketsAddItem = route({
  path: '/service/baskets/addItem',
  level: 'service',
  forBuyers: true,
  client: 'prices',
  permissions: changing,
  body: v.object({ uuid: Uuid, data: NewItem, inshop }),
  response: Basket,
  errors: [...errors, ...saleErrors],
  summary: 'Puts an item into a basket; more of an item that is in it already raises its quantity.',
})

export const basketsEditItem = route({
  path: '/service/baskets/editItem',
  level: 'service',
  forBuyers: true,
  client: 'prices',
  permissions: changing,
  body: v.object({ id: Id, data: v.object({ quantity: between(1, 9999) }), inshop }),
  response: Basket,
  errors: [...errors, ...saleErrors],
  summary: 'Changes the quantity of an item in its basket.',
})

export const basketsDeleteItem = route({
  path: '/service/baskets/deleteItem',
  level: 'service',
  forBuyers: true,
  client: 'prices',
  permissions: changing,
  body: v.object({ id: Id }),
  response: Basket,
  errors,
  summary: 'Takes an item out of its basket.',
})

export const basketsEdit = route({
  path: '/service/baskets/edit',
  level: 'service',
  forBuyers: true,
  client: 'prices',
  permissions: changing,
  body: v.object({ uuid: Uuid, data: v.object({ basketItems: list(NewItem, 50) }), inshop }),
  response: Basket,
  errors: [...errors, ...saleErrors],
  summary: 'Puts other items in the place of all items of a basket.',
})
