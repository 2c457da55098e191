import * as v from 'valibot'
import { consumerInformation, MinAge } from '../records/consumer-information.ts'
import { route } from '../route.ts'
import { described, Id, list, saleInShop, Uuid, wholeBetween, word } from '../schema/wire.ts'
import { goodsTypes } from '../vocabulary.ts'

/** An item of a basket with its current record and price; null if the record is deleted. Ids are unique for the merchant. */
export const BasketItem = v.strictObject({
  id: described(v.number(), 'Id of the item in the basket, unique for the merchant.'),
  item_type: described(word(['wine', 'product', 'rebate', 'package']), 'Kind of the item.'),
  item_id: described(v.number(), 'Id of the wine or product.'),
  quantity: described(v.number(), 'Number of pieces.'),
  item: described(
    v.nullable(v.record(v.string(), v.unknown())),
    'The wine or product with its price as it is now; null if it no longer exists.',
  ),
  ...consumerInformation,
})

/** A basket; `order_uuid` is set while its order waits for an external payment. */
export const Basket = v.strictObject({
  uuid: described(v.string(), 'UUID of the basket.'),
  basketItems: described(v.array(BasketItem), 'Items of the basket.'),
  order_uuid: described(
    v.nullable(v.string()),
    'UUID of its order while that waits for an external payment, else null.',
  ),
  min_age: described(MinAge, 'Highest minimum age of its items; null without one.'),
})

export type Basket = v.InferOutput<typeof Basket>

const quantity = described(wholeBetween(1, 9999), 'Number of pieces, 1 to 9999.')

export const NewItem = v.object({
  item_type: described(word(goodsTypes), 'Kind of the item.'),
  item_id: described(Id, 'Id of the wine or product.'),
  quantity,
})
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
const uuid = described(Uuid, 'UUID of the basket.')
const id = described(Id, 'Id of the item in the basket (`basketItems[].id`).')
const inshop = saleInShop

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
  body: v.object({ uuid }),
  response: Basket,
  errors: ['basket_not_found'],
  summary: 'Reads a basket with its items as they are now; an ordered basket is not found.',
})

export const basketsAddItem = route({
  path: '/service/baskets/addItem',
  level: 'service',
  forBuyers: true,
  client: 'prices',
  permissions: changing,
  body: v.object({ uuid, data: described(NewItem, 'The item to add.'), inshop }),
  response: Basket,
  errors: [...errors, ...saleErrors],
  summary: 'Adds an item to a basket; if the item is already in it, raises its quantity.',
})

export const basketsEditItem = route({
  path: '/service/baskets/editItem',
  level: 'service',
  forBuyers: true,
  client: 'prices',
  permissions: changing,
  body: v.object({ id, data: described(v.object({ quantity }), 'Fields to change.'), inshop }),
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
  body: v.object({ id }),
  response: Basket,
  errors,
  summary: 'Removes an item from its basket.',
})

export const basketsEdit = route({
  path: '/service/baskets/edit',
  level: 'service',
  forBuyers: true,
  client: 'prices',
  permissions: changing,
  body: v.object({
    uuid,
    data: described(
      v.object({ basketItems: described(list(NewItem, 50), 'All items that the basket shall have.') }),
      'The new content.',
    ),
    inshop,
  }),
  response: Basket,
  errors: [...errors, ...saleErrors],
  summary: 'Replaces all items of a basket.',
})
