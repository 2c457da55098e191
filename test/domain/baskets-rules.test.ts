import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import {
  addBasket,
  addItem,
  basketItems,
  editItem,
  openBasket,
  readBasket,
  replaceItems,
} from '../../shared/orders/baskets/store.ts'
import { basketView } from '../../shared/orders/baskets/view.ts'
import { TransactionRefused } from '../../shared/platform/table/failures.ts'
import type { BasketItem, OrderItem } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { newCellar } from '../support/cellar.ts'
import { newProduct, setStock } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'

const clock = useFakeClock(Date.UTC(2026, 4, 1, 12))
// Expiry is in whole seconds, and a retry takes parts of one.
beforeEach(() => {
  clock.now = Math.ceil(clock.now / 1000) * 1000
})
const shop = await newCellar('Kellerei Henkel')
const merchant = shop.id
const { riesling = 0, secco = 0, juice = 0, gone = 0, hidden = 0 } = shop.wine
const day = 86_400
const inDays = (days: number) => clock.now / 1000 + days * day

const wine = (item_id: number, quantity = 1) => ({ item_type: 'wine', item_id, quantity }) as const
const product = (item_id: number, quantity = 1) => ({ item_type: 'product', item_id, quantity }) as const
const place = (uuid: string) => key('basket', { merchant, uuid })
const pointer = (id: number) => key('basketItem', { merchant, id })
const change = (uuid: string, set: Partial<BasketItem>) => updateItem(place(uuid), { set })
const newBasket = async (...items: Parameters<typeof addItem>[2][]) => {
  const { uuid } = await addBasket(merchant)
  for (const item of items) await addItem(merchant, uuid, item)
  return uuid
}
const notFound = { word: 'basket_not_found', status: 404 }

test('concurrent items have different ids, even with equal random numbers', async () => {
  clock.now += 1000
  const uuid = await newBasket()
  const chances = [5, 5, 6]
  const { randomInt } = crypto
  crypto.randomInt = (() => chances.shift()) as never
  syncBuiltinESMExports()
  const { items } = await replaceItems(merchant, uuid, [wine(riesling), wine(secco)]).finally(() => {
    crypto.randomInt = randomInt
    syncBuiltinESMExports()
  })
  expect(items.map(({ id }) => id % 4096)).toEqual([5, 6])
})

describe('the pointer from an item to its basket', () => {
  test('is stored for 180 days, and written when the item is added or after 90', async () => {
    const uuid = await newBasket(wine(riesling))
    const { items, expires, pointersExpire } = await readBasket(merchant, uuid)
    const [first] = items.map(({ id }) => id) as [number]
    expect([expires, pointersExpire]).toEqual([inDays(90), inDays(180)])
    expect(await getItem(pointer(first))).toEqual({ uuid, expires: inDays(180) })

    clock.now += 90 * day * 1000
    await deleteItem(pointer(first))
    const more = await addItem(merchant, uuid, wine(secco))
    const second = more.items[1]?.id ?? 0
    expect([await getItem(pointer(first)), await getItem(pointer(second))]).toEqual([
      undefined,
      { uuid, expires: inDays(180) },
    ])
    expect((await readBasket(merchant, uuid)).pointersExpire).toBe(pointersExpire)

    clock.now += 1000
    await addItem(merchant, uuid, wine(secco))
    for (const id of [first, second]) expect(await getItem(pointer(id))).toEqual({ uuid, expires: inDays(180) })
    expect(await readBasket(merchant, uuid)).toMatchObject({ pointersExpire: inDays(180), expires: inDays(90) })
  })

  test('stays if it leads to another basket', async () => {
    const uuid = await newBasket()
    await change(uuid, { items: [{ id: 4711, ...wine(riesling) }] })
    await putItem(pointer(4711), { uuid: 'another', expires: 1 })
    await expect(addItem(merchant, uuid, wine(secco))).rejects.toBeInstanceOf(TransactionRefused)
    expect(await getItem(pointer(4711))).toEqual({ uuid: 'another', expires: 1 })
  })
})

describe('a basket that is ordered', () => {
  const order = (id: number, status: string) => {
    const counted = [{ type: 'wine', id: secco, quantity: 3 }]
    const doc = JSON.stringify({ header: { status }, counted })
    return putItem(key('order', { merchant, id }), { uuid: `order ${id}`, version: 1, doc } satisfies OrderItem)
  }
  const ordered = { uuid: 'order', hash: '', id: 1, version: 1, waits: true }

  test('is open only while its order waits, and its stock includes the bottles of that order', async () => {
    await setStock(shop, 'wine', secco, 2)
    await order(1, 'new')
    const uuid = await newBasket(wine(riesling))
    await change(uuid, { ordered })
    expect(await openBasket(merchant, uuid)).toMatchObject({ basket: { uuid, ordered }, held: [{ quantity: 3 }] })
    expect((await addItem(merchant, uuid, wine(secco, 5))).items).toMatchObject([wine(riesling), wine(secco, 5)])
    await expect(addItem(merchant, uuid, wine(secco))).rejects.toMatchObject({
      word: 'insufficient_stock',
      fields: [{ path: 'data.quantity', rule: 'insufficient_stock', expected: 'at most 5' }],
    })
    await order(1, 'need_package')
    await expect(openBasket(merchant, uuid)).rejects.toMatchObject(notFound)
  })

  test.each([
    ['does not wait', { ...ordered, waits: false }],
    ['is of an earlier release', { uuid: 'order', hash: '', waits: true }],
  ])('is closed if its order %s', async (_, of) => {
    await order(1, 'new')
    const uuid = await newBasket()
    await change(uuid, { ordered: of })
    await expect(openBasket(merchant, uuid)).rejects.toMatchObject(notFound)
  })

  test('is not found if it was never stored', async () => {
    await expect(openBasket(merchant, 'none')).rejects.toMatchObject(notFound)
  })
})

describe('items that no order would accept', () => {
  test.each([
    ['wine', wine(gone), 'Ausverkauft'],
    ['wine', wine(hidden), 'Stillgelegt'],
  ])('are refused: a %s %j', async (type, item, name) => {
    const path = 'data.item_id'
    await expect(addItem(merchant, await newBasket(wine(juice)), item)).rejects.toMatchObject({
      word: 'item_unavailable',
      message: `${name}: \`${path}\` must be a ${type} that is for sale.`,
      fields: [
        { path, rule: 'item_unavailable', expected: `a ${type} that is for sale`, ...{ item_id: item.item_id } },
      ],
    })
  })

  test('are all refused by their index, in a shop also hidden items', async () => {
    const { id: idle } = await newProduct(shop, { id: 700, name: 'Karaffe', active: 0 })
    const { id: shown } = await newProduct(shop, { id: 701, name: 'Glas', shop: 1 })
    await setStock(shop, 'product', shown, 3)
    const items = [product(shown, 4), wine(riesling), product(idle), product(4711)]
    const refused = await replaceItems(merchant, await newBasket(), items, { inshop: true }).catch(thrown => thrown)
    const at = (n: number) => `data.basketItems.${n}`
    expect(refused.fields).toEqual([
      {
        path: `${at(0)}.quantity`,
        rule: 'insufficient_stock',
        expected: 'at most 3',
        item_type: 'product',
        item_id: shown,
      },
      {
        path: `${at(1)}.item_id`,
        rule: 'item_unavailable',
        expected: 'a wine that is for sale',
        item_type: 'wine',
        item_id: riesling,
      },
      {
        path: `${at(2)}.item_id`,
        rule: 'item_unavailable',
        expected: 'a product that is for sale',
        item_type: 'product',
        item_id: idle,
      },
      { path: `${at(3)}.item_id`, rule: 'item_not_found', expected: 'the id of a product of this merchant' },
    ])
    const uuid = await newBasket(product(shown, 3))
    await expect(addItem(merchant, uuid, wine(riesling), { inshop: true })).rejects.toMatchObject({
      word: 'item_unavailable',
    })
    expect((await addItem(merchant, uuid, wine(riesling))).items).toHaveLength(2)
  })

  test('stay in a basket, but their quantity cannot be raised', async () => {
    const uuid = await newBasket(wine(riesling), wine(juice))
    const { items } = await readBasket(merchant, uuid)
    const [first, second] = items.map(({ id }) => id) as [number, number]
    await setStock(shop, 'wine', riesling, 0)
    expect((await editItem(merchant, second, 3)).items).toMatchObject([wine(riesling), wine(juice, 3)])
    await expect(editItem(merchant, first, 2)).rejects.toMatchObject({ fields: [{ path: 'data.quantity' }] })
    await deleteItem(key('stock', { merchant, type: 'wine', id: riesling }))
    await expect(editItem(merchant, first, 2, { inshop: true })).rejects.toMatchObject({ fields: [{ path: 'id' }] })
    expect((await editItem(merchant, first, 2)).items).toMatchObject([wine(riesling, 2), wine(juice, 3)])
  })
})

test('a basket is shown at the prices of its client, and orders its items at the prices of when they were added', async () => {
  const uuid = await newBasket(wine(riesling))
  const basket = await readBasket(merchant, uuid)
  const pricesFor = async (price_range_id?: number | null) => {
    const client = price_range_id === undefined ? undefined : ({ price_range_id, tax_free: 0 } as const)
    const { basketItems: shown } = await basketView(merchant, basket, client)
    expect(shown[0]).not.toHaveProperty('seen')
    return (shown[0]?.item as { prices: unknown[] }).prices.length
  }
  expect(await pricesFor()).toBe(1)
  expect(await pricesFor(shop.gastronomy)).toBe(1)
  expect(await pricesFor(null)).toBe(0)
  const early = basket.items.map(({ seen: _, ...item }) => item)
  expect(basketItems({ ...basket, items: early })).toEqual([wine(riesling)])
  expect(basketItems(basket)).toEqual([{ ...wine(riesling), seen: '8.90' }])
})
