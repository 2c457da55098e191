import { goodsKey } from '../../shared/catalogue/goods.ts'
import {
  addBasket,
  addItem,
  basketItems,
  deleteItem,
  editItem,
  readBasket,
  replaceItems,
} from '../../shared/orders/baskets/store.ts'
import { basketView } from '../../shared/orders/baskets/view.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, updateItem } from '../../shared/platform/table/table.ts'
import { newCellar } from '../support/cellar.ts'
import { newProduct, setStock } from '../support/checkout.ts'

const shop = await newCellar('Kellerei Korb')
const merchant = shop.id
const riesling = shop.wine.riesling as number
const secco = shop.wine.secco as number
const { id: carafe } = await newProduct(shop, { id: riesling, name: 'Karaffe' })

const wine = (item_id: number, quantity: number) => ({ item_type: 'wine', item_id, quantity }) as const
const product = (item_id: number, quantity: number) => ({ item_type: 'product', item_id, quantity }) as const
const day = 86_400
const seconds = () => Math.floor(Date.now() / 1000)

const stored = (uuid: string) => getItem(key('basket', { merchant, uuid }))

test('a new basket is empty, of version 1, and stored for 90 days', async () => {
  const basket = await addBasket(merchant)
  expect(basket).toMatchObject({ items: [], version: 1 })
  expect(basket.uuid).toMatch(/^[0-9a-f-]{36}$/)
  expect(basket.crstamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(Math.abs(basket.expires - seconds() - 90 * day)).toBeLessThan(60)
  expect(await readBasket(merchant, basket.uuid)).toEqual(basket)
  await expect(readBasket(merchant, 'none')).rejects.toMatchObject({ word: 'basket_not_found' })
})

test('adding an item again raises its quantity; a product with a wine’s id is another item', async () => {
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, wine(riesling, 2))
  await addItem(merchant, uuid, product(carafe, 1))
  const basket = await addItem(merchant, uuid, wine(riesling, 3))
  expect(basket.items).toMatchObject([wine(riesling, 5), product(carafe, 1)])
  expect(basketItems(basket)).toEqual([
    { ...wine(riesling, 5), seen: '8.90' },
    { ...product(carafe, 1), seen: '11.90' },
  ])
  expect(basket.version).toBe(4)
  expect(await stored(uuid)).toMatchObject({ items: basket.items, version: 4 })
  expect(new Set(basket.items.map(({ id }) => id)).size).toBe(2)
})

test('a change keeps a basket for another 90 days', async () => {
  const { uuid } = await addBasket(merchant)
  await updateItem(key('basket', { merchant, uuid }), { set: { expires: seconds() + day } })
  await addItem(merchant, uuid, wine(riesling, 1))
  expect(((await stored(uuid))?.expires ?? 0) - seconds()).toBeGreaterThan(89 * day)
})

test('the pointer from an item to its basket is stored for 180 days, longer than the basket', async () => {
  const { uuid } = await addBasket(merchant)
  const [item] = (await addItem(merchant, uuid, wine(riesling, 1))).items
  const pointer = await getItem(key('basketItem', { merchant, id: item?.id ?? 0 }))
  expect(pointer).toMatchObject({ uuid })
  expect(Math.abs((pointer?.expires ?? 0) - seconds() - 180 * day)).toBeLessThan(60)
})

test('an item is changed and removed by its id', async () => {
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, wine(riesling, 1))
  const { items } = await addItem(merchant, uuid, wine(secco, 1))
  const [first, second] = items.map(({ id }) => id) as [number, number]
  expect((await editItem(merchant, second, 7)).items).toMatchObject([wine(riesling, 1), wine(secco, 7)])
  const left = await deleteItem(merchant, first)
  expect(left).toMatchObject({ uuid, items: [{ id: second, ...wine(secco, 7) }] })
  const gone = {
    word: 'item_not_found',
    fields: [{ path: 'id', rule: 'item_not_found', expected: 'the id of an item in a basket' }],
  }
  await expect(editItem(merchant, first, 1)).rejects.toMatchObject(gone)
  await expect(deleteItem(merchant, first)).rejects.toMatchObject(gone)
  await expect(editItem(merchant, 4711, 1)).rejects.toMatchObject({
    ...gone,
    message: '`id` must be the id of an item in a basket.',
  })
})

test('set replaces the items: those that stay keep their ids, repeated items are added up', async () => {
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, wine(secco, 1))
  const before = await addItem(merchant, uuid, wine(riesling, 1))
  const id = before.items[1]?.id ?? 0
  const after = await replaceItems(merchant, uuid, [product(carafe, 1), wine(riesling, 2), wine(riesling, 3)])
  expect(after.items).toMatchObject([product(carafe, 1), { id, ...wine(riesling, 5) }])
  expect(after.items[0]?.id).not.toBe(id)
  // Each item is found by its id, old and new.
  for (const item of after.items) expect((await editItem(merchant, item.id, 9)).uuid).toBe(uuid)
  expect((await replaceItems(merchant, uuid, [])).items).toEqual([])
})

test('a missing record is refused by its index', async () => {
  const { uuid } = await addBasket(merchant)
  const missing = (path: string, type: string) => ({
    word: 'item_not_found',
    message: `\`${path}\` must be the id of a ${type} of this merchant.`,
    fields: [{ path, rule: 'item_not_found', expected: `the id of a ${type} of this merchant` }],
  })
  await expect(addItem(merchant, uuid, wine(4711, 1))).rejects.toMatchObject(missing('data.item_id', 'wine'))
  const wanted = [wine(riesling, 1), product(4711, 1)]
  await expect(replaceItems(merchant, uuid, wanted)).rejects.toMatchObject(
    missing('data.basketItems.1.item_id', 'product'),
  )
  const many = Array.from({ length: 25 }, (_, n) => wine(5000 + n, 1))
  const error = await replaceItems(merchant, uuid, many).catch(thrown => thrown)
  expect(error.fields).toHaveLength(20)
  expect((await readBasket(merchant, uuid)).items).toEqual([])
})

test('an item has at most 9,999 pieces', async () => {
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, wine(riesling, 9999))
  await expect(addItem(merchant, uuid, wine(riesling, 1))).rejects.toMatchObject({
    fields: [{ path: 'data.quantity', rule: 'max_value', expected: '9999' }],
  })
  expect((await readBasket(merchant, uuid)).items).toMatchObject([wine(riesling, 9999)])
})

test('a basket has at most 50 items', async () => {
  const { uuid } = await addBasket(merchant)
  // No two baskets hold items of the same ids.
  const first = Date.now() * 100
  const items = Array.from({ length: 50 }, (_, n) => ({ id: first + n, ...product(100 + n, 1) }))
  await updateItem(key('basket', { merchant, uuid }), { set: { items: items.slice(1) } })
  expect((await addItem(merchant, uuid, wine(riesling, 1))).items).toHaveLength(50)
  await expect(addItem(merchant, uuid, wine(secco, 1))).rejects.toMatchObject({
    fields: [{ path: 'data', rule: 'max_items', expected: '50' }],
  })
})

test('an ordered basket is not changed', async () => {
  const { uuid } = await addBasket(merchant)
  const { items } = await addItem(merchant, uuid, wine(riesling, 1))
  await updateItem(key('basket', { merchant, uuid }), { set: { ordered: { uuid: 'order', hash: '' } } })
  const refused = { word: 'basket_not_found', status: 404 }
  await expect(addItem(merchant, uuid, wine(riesling, 1))).rejects.toMatchObject(refused)
  await expect(editItem(merchant, items[0]?.id ?? 0, 2)).rejects.toMatchObject(refused)
  await expect(replaceItems(merchant, uuid, [])).rejects.toMatchObject(refused)
})

test('concurrent changes are all stored', async () => {
  const { uuid } = await addBasket(merchant)
  await Promise.all([1, 2, 3, 4, 5].map(quantity => addItem(merchant, uuid, wine(riesling, quantity))))
  expect(await readBasket(merchant, uuid)).toMatchObject({ items: [wine(riesling, 15)], version: 6 })
})

test('a basket is shown with its records, their stock, and its order', async () => {
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, wine(secco, 2))
  await addItem(merchant, uuid, product(carafe, 1))
  await setStock(shop, 'wine', secco, 40)
  const basket = await readBasket(merchant, uuid)
  const gone = { id: 9, ...wine(4711, 1) }
  const shown = await basketView(merchant, { ...basket, items: [...basket.items, gone] })
  const [first, second] = basket.items.map(({ seen: _, ...item }) => item)
  expect(shown).toMatchObject({
    uuid,
    order_uuid: null,
    basketItems: [
      { ...first, item: { id: secco, name: 'Secco weiß', quantity: 40 } },
      { ...second, item: { id: carafe, name: 'Karaffe', quantity: 0 } },
      { ...gone, item: null },
    ],
  })
  expect(Object.keys(shown).sort()).toEqual(['basketItems', 'min_age', 'order_uuid', 'uuid'])
  const ordered = await basketView(merchant, { ...basket, ordered: { uuid: 'order', hash: '' } })
  expect(ordered.order_uuid).toBe('order')
})

test('an item names the record of its type', () => {
  expect(goodsKey(merchant, wine(1, 1))).toEqual(key('wine', { merchant, id: 1 }))
  expect(goodsKey(merchant, product(1, 1))).toEqual(key('product', { merchant, id: 1 }))
})
