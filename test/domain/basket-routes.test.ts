import { type Key, key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, updateItem } from '../../shared/platform/table/table.ts'
import { parseMoney } from '../../shared/values/money.ts'
import { badIds } from '../support/bad-values.ts'
import { refusal } from '../support/buyer.ts'
import { newCellar } from '../support/cellar.ts'
import { newProduct, setStock } from '../support/checkout.ts'
import { type Json, newClient } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { recordOf } from '../support/wine-shop.ts'

const shop = await newCellar('Kellerei Warenkorb')
const stranger = await newCellar('Kellerei Fremd')
const { id: billing_id } = await newClient(shop)
const glasses = await newProduct(shop, { package_quantity: 2 })
const { riesling = 0, secco = 0, juice = 0 } = shop.wine
const unknown = '00000000-0000-4000-8000-000000000000'
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

const basket = (route: string, body: object = {}, of = shop) => of.call(`baskets/${route}`, { ...body, filter: [] })
const wine = (item_id: unknown, quantity: unknown = 1) => ({ item_type: 'wine', item_id, quantity })
const newBasket = async (...items: object[]): Promise<Json> => {
  const { json } = await basket('add')
  let { data } = json
  for (const item of items) data = (await basket('addItem', { uuid: data.uuid, data: item })).json.data
  return data
}
const read = async (of: string): Promise<Json> => (await basket('get', { uuid: of })).json.data
const listed = ({ basketItems }: Json) =>
  basketItems.map(({ item_type, item_id, quantity }: Json) => [item_type, item_id, quantity])

describe('a basket', () => {
  test('is empty at first, and has a uuid', async () => {
    const { status, json } = await basket('add')
    expect([status, json.data]).toEqual([200, { uuid, basketItems: [], order_uuid: null, min_age: null }])
    expect(await read(json.data.uuid)).toEqual(json.data)
  })

  test('shows each item with its record and price', async () => {
    const { uuid: own, basketItems } = await newBasket(wine(String(riesling), '6'), {
      item_type: 'product',
      item_id: glasses.id,
      quantity: 2,
    })
    const record = recordOf((await shop.call('wines/get', { id: riesling })).json.data)
    const information = { base_price: { amount: '11.87', unit: 'l' }, min_age: 16 }
    expect(basketItems).toEqual([
      {
        id: expect.any(Number),
        item_type: 'wine',
        item_id: riesling,
        quantity: 6,
        item: { ...record, ...information, quantity: 0 },
        ...information,
      },
      {
        id: expect.any(Number),
        item_type: 'product',
        item_id: glasses.id,
        quantity: 2,
        item: { ...glasses, quantity: 0 },
        ...{ base_price: null, min_age: null },
      },
    ])
    expect(basketItems[0].item).toMatchObject({ gross: '8.90', taxrate: 19, prices: [{ gross: '7.50' }] })
    expect((await read(own)).basketItems).toEqual(basketItems)
  })

  test('shows present prices and stock', async () => {
    const data = { name: 'Neu', type: 'red', countrycode: 'de', region: 1003, gross: '9.90' }
    const { id } = (await shop.call('wines/add', { data })).json.data
    const own = (await newBasket(wine(id, 2))).uuid
    await shop.call('wines/edit', { id, data: { gross: '19.90', taxrate: 19 } })
    await setStock(shop, 'wine', id, 12)
    const [{ item }] = (await read(own)).basketItems
    expect(item).toMatchObject({ gross: '19.90', quantity: 12 })
    expect((parseMoney(item.net) ?? 0) + (parseMoney(item.tax) ?? 0)).toBe(1990)
  })

  test('keeps an item whose record is deleted, without the record', async () => {
    const { id } = await newProduct(shop)
    const own = (await newBasket({ item_type: 'product', item_id: id, quantity: 1 }, wine(juice))).uuid
    await deleteItem(key('product', { merchant: shop.id, id }))
    const { basketItems } = await read(own)
    expect(basketItems.map(({ item }: Json) => item === null)).toEqual([true, false])
    const order = await shop.call('orders/add', { data: { billing_id, basket: own } })
    expect(refusal(order)).toEqual([422, 'item_not_found', 'data.items.0.item_id'])
  })
})

describe('the items of a basket', () => {
  test('are merged if they are the same record', async () => {
    const own = await newBasket(wine(riesling, 2), wine(secco), wine(riesling, 3))
    expect(listed(own)).toEqual([
      ['wine', riesling, 5],
      ['wine', secco, 1],
    ])
    const twin = await newProduct(shop, { id: secco })
    const same = await newBasket(wine(secco), { item_type: 'product', item_id: twin.id, quantity: 1 })
    expect(same.basketItems).toHaveLength(2)
  })

  test('are edited by their own id', async () => {
    const own = await newBasket(wine(riesling, 2), wine(secco))
    const [{ id }, other] = own.basketItems
    const { status, json } = await basket('editItem', { id: String(id), data: { quantity: 7 } })
    expect(status).toBe(200)
    expect(json.data).toMatchObject({
      uuid: own.uuid,
      basketItems: [
        { id, quantity: 7 },
        { id: other.id, quantity: 1 },
      ],
    })
    expect(await read(own.uuid)).toEqual(json.data)
  })

  test('are removed by their own id', async () => {
    const own = await newBasket(wine(riesling, 2), wine(secco))
    const [{ id }] = own.basketItems
    const { json } = await basket('deleteItem', { id })
    expect(listed(json.data)).toEqual([['wine', secco, 1]])
    expect(refusal(await basket('deleteItem', { id }))).toEqual([422, 'item_not_found', 'id'])
    expect(refusal(await basket('editItem', { id, data: { quantity: 1 } }))).toEqual([422, 'item_not_found', 'id'])
    expect(listed(await read(own.uuid))).toEqual([['wine', secco, 1]])
  })

  test('are all replaced by set; those that stay keep their ids', async () => {
    const own = await newBasket(wine(riesling, 2), wine(secco))
    const wanted = [wine(juice, 4), wine(secco, 9), wine(juice, 1)]
    const { json } = await basket('edit', { uuid: own.uuid, data: { basketItems: wanted } })
    expect(listed(json.data)).toEqual([
      ['wine', juice, 5],
      ['wine', secco, 9],
    ])
    expect(json.data.basketItems[1].id).toBe(own.basketItems[1].id)
    const emptied = await basket('edit', { uuid: own.uuid, data: { basketItems: [] } })
    expect(emptied.json.data.basketItems).toEqual([])
  })

  test('are all stored if they are added concurrently', async () => {
    const own = (await newBasket()).uuid
    const answers = await Promise.all(
      counted(20).map(n => basket('addItem', { uuid: own, data: wine([riesling, secco, juice][n % 3], n) })),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const { basketItems } = await read(own)
    expect(basketItems).toHaveLength(3)
    expect(basketItems.reduce((sum: number, { quantity }: Json) => sum + quantity, 0)).toBe(210)
  })

  test('are 50 at most, of 9,999 pieces at most', async () => {
    const many = counted(50).map(() => wine(riesling))
    const own = (await newBasket()).uuid
    const put = (data: object) => basket('addItem', { uuid: own, data })
    const edit = (basketItems: object[]) => basket('edit', { uuid: own, data: { basketItems } })
    expect(refusal(await edit([...many, wine(riesling)]))).toEqual([400, 'validation_failed', 'data.basketItems'])
    await edit([wine(riesling, 9998)])
    expect((await put(wine(riesling))).json.data.basketItems[0].quantity).toBe(9999)
    expect(refusal(await put(wine(riesling))).slice(0, 2)).toEqual([400, 'validation_failed'])
    expect(listed(await read(own))).toEqual([['wine', riesling, 9999]])
  })
})

describe('a basket refuses', () => {
  test.each([
    ['item_type', ['rebate', 'package', 'bundle', '', null, 7]],
    ['item_id', badIds],
    ['quantity', [0, -1, 1.5, 10_000, '1e3', '', true, null]],
  ])('a bad %s', async (field, values) => {
    const { uuid: own } = await newBasket()
    for (const value of values) {
      const data = { ...wine(riesling), [field]: value }
      const one = await basket('addItem', { uuid: own, data })
      expect([value, ...refusal(one)]).toEqual([value, 400, 'validation_failed', `data.${field}`])
      const all = await basket('edit', { uuid: own, data: { basketItems: [wine(secco), data] } })
      expect([value, ...refusal(all)]).toEqual([value, 400, 'validation_failed', `data.basketItems.1.${field}`])
    }
    expect((await read(own)).basketItems).toEqual([])
  })
})

test("a basket refuses a wine or product that is missing or another merchant's", async () => {
  const { uuid: own } = await newBasket()
  const theirs = stranger.wine.riesling
  for (const item of [wine(2 ** 50), wine(theirs), { ...wine(glasses.id + 1000), item_type: 'product' }]) {
    const one = await basket('addItem', { uuid: own, data: item })
    expect(refusal(one)).toEqual([422, 'item_not_found', 'data.item_id'])
    const all = await basket('edit', { uuid: own, data: { basketItems: [wine(secco), item] } })
    expect(refusal(all)).toEqual([422, 'item_not_found', 'data.basketItems.1.item_id'])
  }
  expect((await read(own)).basketItems).toEqual([])
})

describe('a basket of another merchant', () => {
  test('is answered like a missing one', async () => {
    const { json } = await basket('add', {}, stranger)
    const theirs = (await basket('addItem', { uuid: json.data.uuid, data: wine(stranger.wine.secco) }, stranger)).json
    const [{ id }] = theirs.data.basketItems
    const calls: [string, (of: string) => object][] = [
      ['get', of => ({ uuid: of })],
      ['addItem', of => ({ uuid: of, data: wine(riesling) })],
      ['edit', of => ({ uuid: of, data: { basketItems: [] } })],
    ]
    for (const [route, body] of calls) {
      const [foreign, missing] = [await basket(route, body(json.data.uuid)), await basket(route, body(unknown))]
      expect([route, ...refusal(foreign)]).toEqual([route, 404, 'basket_not_found'])
      expect({ ...foreign.json, request_id: '' }).toEqual({ ...missing.json, request_id: '' })
    }
    expect(refusal(await basket('editItem', { id, data: { quantity: 2 } }))).toEqual([422, 'item_not_found', 'id'])
    expect(refusal(await basket('deleteItem', { id }))).toEqual([422, 'item_not_found', 'id'])
    expect((await basket('get', { uuid: json.data.uuid }, stranger)).json).toEqual(theirs)
  })

  test.each([
    undefined,
    null,
    '',
    'x',
    false,
    7,
    {},
    { uuid: unknown },
  ])('is not found by the malformed or unknown uuid %j', async named => {
    for (const route of ['get', 'addItem', 'edit']) {
      const data = route === 'edit' ? { basketItems: [] } : wine(riesling)
      expect([route, ...refusal(await basket(route, { uuid: named, data }))]).toEqual([
        route,
        400,
        'validation_failed',
        'uuid',
      ])
    }
  })
})

test('an item of a deleted basket is not found', async () => {
  const own = await newBasket(wine(riesling, 2))
  const [{ id }] = own.basketItems
  await deleteItem(key('basket', { merchant: shop.id, uuid: own.uuid }))
  expect(refusal(await basket('editItem', { id, data: { quantity: 3 } }))).toEqual([404, 'basket_not_found'])
  expect(refusal(await basket('deleteItem', { id }))).toEqual([404, 'basket_not_found'])
})

describe('a basket that is ordered', () => {
  test('is closed, and open again after the order is cancelled', async () => {
    const own = await newBasket(wine(riesling, 2))
    const [{ id }] = own.basketItems
    const order = (await shop.call('orders/add', { data: { billing_id, basket: own.uuid } })).json.data
    const changes = [
      () => basket('addItem', { uuid: own.uuid, data: wine(secco) }),
      () => basket('editItem', { id, data: { quantity: 3 } }),
      () => basket('edit', { uuid: own.uuid, data: { basketItems: [] } }),
      () => basket('deleteItem', { id }),
    ]
    for (const change of [...changes, () => basket('get', { uuid: own.uuid })])
      expect(refusal(await change())).toEqual([404, 'basket_not_found'])
    await shop.call('orders/checkout/cancel', { order_id: order.uuid })
    expect(await read(own.uuid)).toEqual(own)
    for (const change of changes.slice(0, 3)) expect((await change()).status).toBe(200)
  })

  test('is stored for 90 days after its last use', async () => {
    const { uuid: own } = await newBasket(wine(riesling))
    const item = await getItem<{ expires: number }>(key('basket', { merchant: shop.id, uuid: own }))
    const days = ((item?.expires ?? 0) - Date.now() / 1000) / 86_400
    expect(Math.round(days)).toBe(90)
  })

  const pointerOf = (id: number) => key('basketItem', { merchant: shop.id, id })
  const expiryOf = async (item: Key<{ expires: number }>) => (await getItem(item))?.expires ?? 0

  test('is found by its items as long as it is stored', async () => {
    const own = await newBasket(wine(riesling))
    const [{ id }] = own.basketItems
    const place = key('basket', { merchant: shop.id, uuid: own.uuid })
    const pass = async (days: number) => {
      const { expires = 0, pointersExpire = 0 } = (await getItem(place)) ?? {}
      await updateItem(place, {
        set: { expires: expires - days * 86_400, pointersExpire: pointersExpire - days * 86_400 },
      })
      const pointer = await expiryOf(pointerOf(id))
      await updateItem(pointerOf(id), { set: { expires: pointer - days * 86_400 } })
    }
    for (const quantity of [2, 3, 4, 5]) {
      await pass(80)
      expect((await basket('addItem', { uuid: own.uuid, data: wine(secco) })).status).toBe(200)
      expect(await expiryOf(pointerOf(id))).toBeGreaterThanOrEqual(await expiryOf(place))
      const { json } = await basket('editItem', { id, data: { quantity } })
      expect(json.data.basketItems[0]).toMatchObject({ id, quantity })
    }
  })

  test('does not rewrite the pointers of its items with every change', async () => {
    const own = await newBasket(wine(riesling))
    const [{ id }] = own.basketItems
    await updateItem(pointerOf(id), { set: { expires: 2 ** 40 } })
    await basket('addItem', { uuid: own.uuid, data: wine(secco) })
    await basket('editItem', { id, data: { quantity: 2 } })
    expect(await expiryOf(pointerOf(id))).toBe(2 ** 40)
  })
})
