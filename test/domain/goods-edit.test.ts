import { key } from '../../shared/platform/table/keys.ts'
import { getItem } from '../../shared/platform/table/table.ts'
import { refusal } from '../support/buyer.ts'
import { newCellar } from '../support/cellar.ts'
import { newProduct } from '../support/checkout.ts'
import { eventually } from '../support/eventually.ts'
import { type Answer, type Json, recordOf } from '../support/harness.ts'

const shop = await newCellar('Kellerei Zubehör')
const other = await newCellar('Kellerei Nachbarregal')
const unknown = 2 ** 52 + 1

const send =
  (route: string) =>
  (data: Json, idempotencyKey?: string, from = shop): Promise<Answer> =>
    from.call(route, { data }, { headers: { ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) } })
const editing =
  (route: string) =>
  (id: number, data: Json): Promise<Answer> =>
    shop.call(route, { id, data })

const addProduct = send('products/add')
const editProduct = editing('products/edit')
const addCategory = send('categories/add')
const editCategory = editing('categories/edit')
const product = async (id: number): Promise<Json> => (await shop.call('products/get', { id })).json.data
const category = async (id: number): Promise<Json> => (await shop.call('categories/get', { id })).json.data
const times = <T>(count: number, act: (n: number) => T): Promise<Awaited<T>[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))

describe('products/add', () => {
  test('adds a product as products/get shows it, with defaults, a completed price and a path_segment', async () => {
    const added = recordOf(await addProduct({ name: 'Riesling-Glas', net: '10.00' }))
    expect(added).toMatchObject({
      ...{
        name: 'Riesling-Glas',
        gross: '11.90',
        net: '10.00',
        tax: '1.90',
        taxrate: 19,
        path_segment: 'riesling-glas',
      },
      ...{ articlenumber: null, prices: [], categoryIds: [], active: 1, shop: 0, language: 'de', package_quantity: 1 },
      ...{ customers_id: shop.id, cruser_id: 1, crstamp: expect.any(String), chstamp: expect.any(String) },
    })
    expect(await product(added.id)).toEqual(added)
    expect(await getItem(key('stock', { merchant: shop.id, type: 'product', id: added.id }))).toBeUndefined()
  })

  test('completes the prices of ranges by the tax rate, and names the categories by their ids', async () => {
    const { id: categoryId } = recordOf(await addCategory({ name: 'Gläser' }))
    const prices = [{ price_range_id: shop.gastronomy, net: '8.00' }]
    const added = recordOf(
      await addProduct({ name: 'Satz', gross: '10.70', taxrate: 7, prices, categoryIds: [categoryId] }),
    )
    expect(added).toMatchObject({ net: '10.00', tax: '0.70', categoryIds: [categoryId] })
    expect(added.prices).toEqual([
      {
        ...{ price_range_id: shop.gastronomy, priceRangeName: 'Gastronomie', product_id: added.id, taxrate: 7 },
        ...{ net: '8.00', tax: '0.56', gross: '8.56' },
      },
    ])
  })

  test('makes a free path_segment, and refuses one that is taken', async () => {
    const first = recordOf(await addProduct({ name: 'Öffner', gross: '1.00' }))
    const second = recordOf(await addProduct({ name: 'Öffner', gross: '1.00' }))
    expect([first.path_segment, second.path_segment]).toEqual(['oeffner', 'oeffner-2'])
    const taken = { name: 'Anderer', gross: '1.00', path_segment: 'oeffner' }
    expect(refusal(await addProduct(taken))).toEqual([409, 'slug_taken', 'data.path_segment'])
    expect(refusal(await editProduct(second.id, { path_segment: 'oeffner' }))).toEqual([
      409,
      'slug_taken',
      'data.path_segment',
    ])
    expect(recordOf(await editProduct(second.id, { path_segment: 'oeffner-2' })).path_segment).toBe('oeffner-2')
  })

  test('adds once by its Idempotency-Key, also for 8 concurrent requests', async () => {
    const data = { name: 'Einmal', gross: '5.00' }
    const answers = await times(8, () => addProduct(data, 'einmal'))
    expect(new Set(answers.map(answer => recordOf(answer).id)).size).toBe(1)
    expect(answers.filter(({ headers }) => !headers.get('idempotency-replayed'))).toHaveLength(1)
    expect(refusal(await addProduct({ ...data, gross: '6.00' }, 'einmal'))).toEqual([422, 'idempotency_key_reused'])
    const { json } = await shop.call('products/getAll')
    expect(json.data.filter(({ name }: Json) => name === 'Einmal')).toHaveLength(1)
  })

  test('refuses a record larger than 100 KB', async () => {
    const prices = Array.from({ length: 100 }, () => ({ price_range_id: shop.gastronomy, gross: '1.00' }))
    expect(refusal(await addProduct({ name: 'Teuer', gross: '1.00', prices }))).toEqual([
      400,
      'validation_failed',
      'data.prices',
    ])
  })
})

describe('products/edit', () => {
  test('changes the given fields only; the gross price stays at a new tax rate', async () => {
    const before = await newProduct(shop, { id: 801, path_segment: 'karaffe', articlenumber: 'K-1' })
    const after = recordOf(await editProduct(before.id, { name: 'Große Karaffe', taxrate: 7, topseller: true }))
    const changed = { name: 'Große Karaffe', taxrate: 7, gross: '11.90', net: '11.12', tax: '0.78', topseller: 1 }
    expect(after).toEqual({ ...before, ...changed, chstamp: after.chstamp })
    expect(after.chstamp > before.chstamp).toBe(true)
    expect(await product(before.id)).toEqual(after)
  })

  test('keeps the prices of ranges that are not given, and replaces given prices as a whole', async () => {
    const prices = [{ price_range_id: shop.gastronomy, gross: '9.90' }]
    const { id } = recordOf(await addProduct({ name: 'Kühler', gross: '11.90', prices }))
    expect(recordOf(await editProduct(id, { sorting: 3 })).prices).toMatchObject(prices)
    expect(recordOf(await editProduct(id, { prices: [] })).prices).toEqual([])
  })

  test('keeps the path_segment that a product of an older import shows, and refuses it for others', async () => {
    const { id } = await newProduct(shop, { id: 802, name: 'Alter Heber' })
    const path_segment = 'alter-heber-802'
    expect((await product(id)).path_segment).toBe(path_segment)
    const taken = [409, 'slug_taken', 'data.path_segment']
    expect(refusal(await addProduct({ name: 'Heber', gross: '1.00', path_segment }))).toEqual(taken)
    expect(recordOf(await addProduct({ name: 'Alter Heber 802', gross: '1.00' })).path_segment).toBe(
      `${path_segment}-2`,
    )
    expect(recordOf(await editProduct(id, { name: 'Heber' })).path_segment).toBe(path_segment)
    expect((await shop.call('products/get', { path_segment })).json.data.name).toBe('Heber')
  })

  test('refuses references that do not exist, each with its field, and contradictory amounts', async () => {
    const { id } = await newProduct(shop, { id: 803 })
    const before = await product(id)
    const { gastronomy } = other
    const foreign = recordOf(await send('categories/add')({ name: 'Fremd' }, undefined, other)).id
    const lost = {
      categoryIds: [unknown, foreign + 100],
      prices: [{ price_range_id: gastronomy + 100, gross: '1.00' }],
    }
    expect(refusal(await editProduct(id, lost))).toEqual([
      ...[422, 'reference_not_found'],
      ...['data.categoryIds.0', 'data.categoryIds.1', 'data.prices.0.price_range_id'],
    ])
    expect(refusal(await editProduct(id, { gross: '1.19', net: '1.01' }))).toEqual([
      422,
      'price_inconsistent',
      'data.gross',
    ])
    expect(refusal(await editProduct(unknown, { sorting: 1 }))).toEqual([404, 'product_not_found'])
    expect(refusal(await editProduct(id, {}))).toEqual([400, 'nothing_to_change'])
    expect(await product(id)).toEqual(before)
  })

  test('an order sells the product at its new price', async () => {
    const { id } = await newProduct(shop, { id: 804 })
    await editProduct(id, { gross: '23.80' })
    const billing = { last_name: 'Gast', address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de' }
    const items = [{ item_type: 'product', item_id: id, quantity: 1 }]
    const { json } = await shop.call('orders/add', { data: { billing, payment_type: 'invoice', items } })
    expect(json.data.gross).toBe('23.80')
  })
})

describe('categories', () => {
  test('are added and changed as categories/get shows them; a new name keeps the path_segment', async () => {
    const added = recordOf(await addCategory({ name: 'Sommerweine', sorting: 2, description: 'Leicht.\nFrisch.' }))
    expect(added).toEqual({
      ...{ id: expect.any(Number), name: 'Sommerweine', path_segment: 'sommerweine', sorting: 2 },
      ...{ description: 'Leicht.\nFrisch.', image: null },
    })
    expect(await category(added.id)).toEqual(added)
    const renamed = recordOf(await editCategory(added.id, { name: 'Weine für heiße Tage', description: null }))
    expect(renamed).toEqual({ ...added, name: 'Weine für heiße Tage', description: null })
    expect(await category(added.id)).toEqual(renamed)
    expect((await shop.call('categories/get', { path_segment: 'sommerweine' })).json.data).toEqual(renamed)
  })

  test('wines show the new name of their category', async () => {
    const { id } = recordOf(await addCategory({ name: 'Vorher' }))
    const wine = shop.wine.secco
    await shop.call('wines/edit', { id: wine, data: { categoryIds: [id] } })
    await editCategory(id, { name: 'Nachher' })
    // Instances look at the names of categories every five seconds.
    const shown = async (): Promise<Json> => (await shop.call('wines/get', { id: wine })).json.data.categories
    expect(await eventually(shown, ([one]) => one.name === 'Nachher')).toEqual([{ id, name: 'Nachher' }])
  })

  test('have names and path_segments of their own', async () => {
    const { id } = recordOf(await addCategory({ name: 'Schaumweine' }))
    expect(refusal(await addCategory({ name: 'Schaumweine' }))).toEqual([409, 'name_taken', 'data.name'])
    const two = recordOf(await addCategory({ name: 'Schaumweine!' }))
    expect(two.path_segment).toBe('schaumweine-2')
    expect(refusal(await editCategory(two.id, { name: 'Schaumweine' }))).toEqual([409, 'name_taken', 'data.name'])
    expect(refusal(await editCategory(two.id, { path_segment: 'schaumweine' }))).toEqual([
      409,
      'slug_taken',
      'data.path_segment',
    ])
    expect(refusal(await addCategory({ name: 'Neu', path_segment: 'schaumweine' }))).toEqual([
      409,
      'slug_taken',
      'data.path_segment',
    ])
    expect(recordOf(await editCategory(id, { name: 'Schaumweine' })).name).toBe('Schaumweine')
    expect(refusal(await editCategory(unknown, { sorting: 1 }))).toEqual([404, 'category_not_found'])
    expect(refusal(await editCategory(id, {}))).toEqual([400, 'nothing_to_change'])
  })

  test('are added once by an Idempotency-Key', async () => {
    const answers = await times(8, () => addCategory({ name: 'Nur einmal' }, 'k'))
    expect(answers.map(recordOf)).toEqual(Array(8).fill(recordOf(answers[0] as Answer)))
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed'))).toHaveLength(7)
    expect(refusal(await addCategory({ name: 'Zweimal' }, 'k'))).toEqual([422, 'idempotency_key_reused'])
  })
})
