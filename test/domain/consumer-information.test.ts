import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { newProduct, setPackages } from '../support/checkout.ts'
import { newAccount } from '../support/client-account.ts'
import { call, type Json, newClient } from '../support/harness.ts'
import { untilPublished } from '../support/until-published.ts'

const shop = await newCellar('Kellerei Literpreis')
await setPackages(shop)
const { gastronomy } = shop
const id = shop.wine.riesling as number
const litre = (amount: string) => ({ base_price: { amount, unit: 'l' } })
const own = { ...litre('11.87'), min_age: 16 }
const agreed = { ...litre('10.00'), min_age: 16 }
const nothing = { base_price: null, min_age: null }

const ofWine = ({ data }: Json): Json => [data].flat().find(one => one.id === id)

const reads: readonly [route: string, body: object][] = [
  ['wines/get', { id }],
  ['wines/getAll', {}],
  ['wines/search', { query: 'kabinett', cluster: 'type' }],
  ['wines/getByType', { type: 'white' }],
]

describe('a wine has the price of a litre and the minimum age', () => {
  test.each(reads)('in %s, at the price that the caller pays', async (route, body) => {
    expect(ofWine((await shop.call(route, body)).json)).toMatchObject({ gross: '8.90', ...own })
    const client = await newAccount(shop, { price_range_id: gastronomy })
    expect(ofWine((await client.call(route, body)).json)).toMatchObject({ gross: '7.50', ...agreed })
    const free = await newAccount(shop, { tax_free: 1 })
    expect(ofWine((await free.call(route, body)).json)).toMatchObject({ gross: '7.48', ...litre('9.97') })
  })

  test('in the lists of its category', async () => {
    const { id: category } = (await shop.call('categories/add', { data: { name: 'Weiß' } })).json.data
    await shop.call('wines/edit', { id, data: { categoryIds: [category] } })
    for (const [route, body] of [
      ['categories/getWines', { id: category }],
      ['categories/getWithWines', { id: category }],
      ['wines/getByCategory', { id: category }],
    ] as const)
      expect(ofWine((await shop.call(route, body)).json)).toMatchObject(own)
  })

  test('in the answers to add and edit', async () => {
    const data = {
      name: 'Trester',
      type: 'destilate',
      countrycode: 'de',
      region: 1003,
      gross: '30.00',
      bottlesize: '0.5',
    }
    const added = (await shop.call('wines/add', { data })).json.data
    expect(added).toMatchObject({ ...litre('60.00'), min_age: 18 })
    const edited = (await shop.call('wines/edit', { id: added.id, data: { gross: '0.00', type: 'nonAlcoholic' } })).json
    expect(edited.data).toMatchObject(nothing)
  })

  test('in public', async () => {
    await shop.call('wines/edit', { id, data: { public: 1 } })
    await untilPublished(shop.id)
    expect((await call('/wines/getPublic', { id })).json.data).toMatchObject(own)
    for (const route of ['/wines/getAll', '/wines/search'])
      expect(ofWine((await call(route, { query: 'kabinett', pageSize: 100 })).json)).toMatchObject(own)
  })

  test('and its stored record does not', async () => {
    const item = await getItem(key('wine', { merchant: shop.id, id }))
    expect(JSON.parse(item?.doc ?? '')).not.toHaveProperty('base_price')
    expect(JSON.parse(item?.doc ?? '')).not.toHaveProperty('min_age')
  })
})

const spirit = await newProduct(shop, { name: 'Weinbrand', min_age: 18 })
const glass = await newProduct(shop, { name: 'Glas' })
const products = [spirit, glass].map(one => ({ item_type: 'product', item_id: one.id, quantity: 1 }))

test('a product has the minimum age that it was given, by number or text', async () => {
  const { json } = await shop.call('products/edit', { id: spirit.id, data: { min_age: '18' } })
  expect(json.data.min_age).toBe(18)
  expect((await shop.call('products/get', { id: glass.id })).json.data.min_age).toBeNull()
  const refused = (await shop.call('products/edit', { id: glass.id, data: { min_age: 21 } })).json
  expect(refused).toMatchObject({ error: 'validation_failed', fields: [{ path: 'data.min_age', expected: '16, 18' }] })
})

describe('a basket', () => {
  const basketOf = async (items: object[], ask = shop.call): Promise<Json> => {
    const { uuid, min_age } = (await ask('baskets/add')).json.data
    expect(min_age).toBeNull()
    return (await ask('baskets/edit', { uuid, data: { basketItems: items } })).json.data
  }

  test('has them for each item, at the price of its client, and the highest age', async () => {
    const wines = itemsOf(shop, { riesling: 2, juice: 1 })
    const merchants = await basketOf(wines)
    expect(merchants).toMatchObject({ min_age: 16, basketItems: [own, { ...litre('3.32'), min_age: null }] })
    const client = await newAccount(shop, { price_range_id: gastronomy })
    const [first] = (await basketOf([...wines, ...products], client.call)).basketItems
    expect(first).toMatchObject({ ...agreed, item: agreed })
    expect(await basketOf([...wines, ...products])).toMatchObject({
      min_age: 18,
      basketItems: [own, {}, { base_price: null, min_age: 18 }, nothing],
    })
    expect((await basketOf(itemsOf(shop, { juice: 1 }))).min_age).toBeNull()
  })

  test('has none for an item whose record is deleted', async () => {
    const gone = await newProduct(shop, { min_age: 16 })
    const { uuid } = await basketOf([{ item_type: 'product', item_id: gone.id, quantity: 1 }])
    await deleteItem(key('product', { merchant: shop.id, id: gone.id }))
    expect((await shop.call('baskets/get', { uuid })).json.data).toMatchObject({
      min_age: null,
      basketItems: [{ item: null, ...nothing }],
    })
  })
})

describe('an order', () => {
  const place = async (data: object): Promise<Json> => {
    const billing = { billing_id: (await newClient(shop)).id }
    const asked = { payment_type: 'invoice', items: itemsOf(shop, { riesling: 3 }), ...billing, ...data }
    return (await shop.call('orders/add', { data: asked })).json.data
  }

  test('has them for each position, and the highest age', async () => {
    const order = await place({ items: [...itemsOf(shop, { riesling: 3 }), ...products] })
    const shown = {
      min_age: 18,
      positions: [own, { base_price: null, min_age: 18 }, nothing],
      package: nothing,
    }
    expect(order).toMatchObject(shown)
    const read = async (body: object) => (await shop.call('orders/get', { id: order.id, ...body })).json.data
    expect(await read({ include: 'items' })).toMatchObject(shown)
    expect(await read({ include: 'client' })).not.toHaveProperty('min_age')
    const all = (await shop.call('orders/getAll', { include: 'items', pageSize: 1 })).json.data
    expect(all[0]).toMatchObject(shown)
  })

  test('priced without tax has the price of a litre without tax', async () => {
    expect((await place({ invoice_type: 'net' })).positions).toMatchObject([litre('9.97')])
    const billing_id = (await newClient(shop, { tax_free: 1 })).id
    expect((await place({ billing_id })).positions).toMatchObject([litre('9.97')])
  })

  test('has the price of its client', async () => {
    const billing_id = (await newClient(shop, { price_range_id: gastronomy })).id
    expect((await place({ billing_id })).positions).toMatchObject([litre('10.00')])
  })

  test('keeps them when its wine changes', async () => {
    const order = await place({})
    await shop.call('wines/edit', { id, data: { gross: '80.00', bottlesize: '0.375', type: 'grapeJuice' } })
    const { json } = await shop.call('orders/get', { id: order.id, include: 'items' })
    expect(json.data).toMatchObject({ min_age: 16, positions: [own] })
  })
})
