import { products } from '../../lib/tool/imports/products.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { importWines, wines } from '../../lib/tool/imports/wines.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, updateItem } from '../../shared/platform/table/table.ts'
import { type Json, newShop, recordOf, refusal } from '../support/harness.ts'
import { nothing } from '../support/record-files.ts'

const shop = await newShop('Kellerei Preislos')
const category = recordOf(await shop.call('categories/add', { data: { name: 'Alle' } })).id
const blank = { type: 'red', countrycode: 'de', region: 1005, categoryIds: [category], shop: 1, public: 1 }
const billing = { last_name: 'Ada', address: 'Am Hang 3', zip: '01067', city: 'Dresden', countrycode: 'de' }

const read = async (route: string, body: object = {}): Promise<Json> => (await shop.call(route, body)).json
const addWine = async (data: object = {}): Promise<number> =>
  recordOf(await shop.call('wines/add', { data: { name: 'Dornfelder', ...blank, ...data } })).id
const addProduct = async (data: object = {}): Promise<number> =>
  recordOf(await shop.call('products/add', { data: { name: 'Glas', shop: 1, ...data } })).id
const edit = async (kind: string, id: number, data: object): Promise<Json> =>
  recordOf(await shop.call(`${kind}s/edit`, { id, data }))

const order = (item_type: string, item_id: number) =>
  shop.call('orders/add', { data: { payment_type: 'invoice', billing, items: [{ item_type, item_id, quantity: 6 }] } })
const putIntoBasket = async (item_type: string, item_id: number) => {
  const { uuid } = (await read('baskets/add')).data
  return shop.call('baskets/addItem', { uuid, data: { item_type, item_id, quantity: 1 } })
}

const listed = async (route: string, body: object, inshop: 0 | 1): Promise<Json> => {
  const { data, totalCount, clusters, clusterCounts } = await read(route, { ...body, inshop, pageSize: 100 })
  return { ids: (data.data ?? data).map(({ id }: Json) => id), totalCount, clusters, clusterCounts }
}

const noPrices = [{}, { gross: null }, { gross: '', net: '', tax: '' }, { gross: null, net: null }]

describe.each([
  { kind: 'wine', add: addWine },
  { kind: 'product', add: addProduct },
])('a $kind', ({ kind, add }) => {
  test.each(noPrices)('added with the price %j shows 0.00 and is refused with the reason', async price => {
    const id = await add(price)
    expect((await read(`${kind}s/get`, { id })).data).toMatchObject({ gross: '0.00', net: '0.00', tax: '0.00' })
    for (const refused of [await order(kind, id), await putIntoBasket(kind, id)]) {
      expect(refusal(refused)).toEqual([422, 'item_unavailable'])
      expect(refused.json.details).toContain('Dieser Artikel hat keinen Preis und ist deshalb nicht erhältlich.')
      expect(refused.json.fields[0].expected).toBe(`a ${kind} with a price; without one it is not for sale`)
    }
    expect((await shop.call(`${kind}s/get`, { id, inshop: 1 })).status).toBe(404)
    expect((await listed(`${kind}s/getAll`, {}, 1)).ids).not.toContain(id)
    expect((await listed(`${kind}s/getAll`, {}, 0)).ids).toContain(id)
  })

  test('whose price is given as 0.00 is a gift: listed and sold', async () => {
    const id = await add({ gross: '0.00', net: '0.00', tax: '0.00' })
    expect((await read(`${kind}s/get`, { id, inshop: 1 })).data.gross).toBe('0.00')
    expect((await listed(`${kind}s/getAll`, {}, 1)).ids).toContain(id)
    expect((await putIntoBasket(kind, id)).status).toBe(200)
    expect((await order(kind, id)).json.data).toMatchObject({ gross: '0.00', paid: true })
  })

  test('gets a price by an edit and loses it by null; other fields, and the record as it was read, leave it alone', async () => {
    const id = await add()
    const isSold = async () => (await putIntoBasket(kind, id)).status === 200
    const { gross, net, tax, taxrate } = await edit(kind, id, { name: 'Anders' })
    await edit(kind, id, { gross, net, tax, taxrate })
    expect(await isSold()).toBe(false)
    await edit(kind, id, { gross: '0.00' })
    expect(await isSold()).toBe(true)
    await edit(kind, id, { sorting: 3 })
    expect(await isSold()).toBe(true)
    expect((await edit(kind, id, { gross: '9.90' })).gross).toBe('9.90')
    expect((await edit(kind, id, { net: null, tax: '' })).gross).toBe('9.90')
    expect(await isSold()).toBe(true)
    expect((await edit(kind, id, { gross: null })).net).toBe('0.00')
    expect(await isSold()).toBe(false)
    expect((await edit(kind, id, { gross: '', net: '10.00' })).gross).toBe('11.90')
    expect(await isSold()).toBe(true)
    expect((await edit(kind, id, { gross: '' })).gross).toBe('0.00')
    expect(await isSold()).toBe(false)
  })

  test('is frozen into an order without the mark of its price', async () => {
    const { positions } = (await order(kind, await add({ gross: '1.00' }))).json.data
    expect(Object.keys(positions[0].item)).not.toContain('priced')
  })
})

test('no list, facet or count of the shop has a wine without a price; the lists of the merchant have it', async () => {
  const place = 'Preisloser Berg'
  const [without, gift] = [await addWine({ place }), await addWine({ place, gross: '0.00' })]
  const clusters = { cluster: ['place'], clusterCounts: 1 }
  const filter = { place }
  for (const [route, body] of [
    ['wines/getAll', { filter, ...clusters }],
    ['wines/search', { query: 'dornfelder', filter, ...clusters }],
    ['wines/getByCategory', { id: category, filter, ...clusters }],
    ['categories/getWines', { id: category, filter }],
    ['categories/getWithWines', { id: category, filter }],
  ] as const) {
    const [own, inshop] = [await listed(route, body, 0), await listed(route, body, 1)]
    expect([route, own.ids.toSorted(), inshop.ids]).toEqual([route, [without, gift].toSorted(), [gift]])
    if (own.clusterCounts)
      expect([own, inshop].map(one => one.clusterCounts.place)).toEqual([{ [place]: 2 }, { [place]: 1 }])
  }
  const byType = await listed('wines/getByType', { type: 'red' }, 1)
  expect([byType.ids.includes(without), byType.ids.includes(gift)]).toEqual([false, true])
})

test('the check of the law names a wine without a price, and no gift', async () => {
  const [without, gift] = [await addWine(), await addWine({ gross: '0.00' })]
  const { data } = await read('wines/check', { pageSize: 100 })
  const lacks = (id: number) =>
    data.find((one: Json) => one.id === id).missing.some(({ word }: Json) => word === 'base_price')
  expect([lacks(without), lacks(gift)]).toEqual([true, false])
})

test('of older records, a wine of 0.00 has no price, and a product, which needed a price, is a gift', async () => {
  const [wine, product] = [await addWine({ gross: '0.00' }), await addProduct({ gross: '0.00' })]
  for (const place of [
    key('wine', { merchant: shop.id, id: wine }),
    key('product', { merchant: shop.id, id: product }),
  ]) {
    const { priced, ...older } = JSON.parse((await getItem(place))?.doc ?? '')
    expect(priced).toBe(1)
    await updateItem(place, { set: { doc: JSON.stringify(older) } })
  }
  expect([(await putIntoBasket('wine', wine)).status, (await putIntoBasket('product', product)).status]).toEqual([
    422, 200,
  ])
})

test('the next vintage has a price if the former wine has one', async () => {
  for (const [price, sold] of [
    [{}, false],
    [{ gross: '0.00' }, true],
  ] as const) {
    const id = await addWine({ vintage: 2020, ...price })
    const { data } = await read('wines/rollOver', { id, vintage: 2021, data: { nostock: 0 } })
    expect((await putIntoBasket('wine', data.id)).status === 200).toBe(sold)
  }
})

test('in files an empty cell is no price, also of what had a price; an export has it, and imports as it was', async () => {
  const merchant = await newShop('Kellerei Leerzelle')
  const cells = { name: 'Riesling', type: 'white', countrycode: 'de', region: '1005', shop: '1' }
  const rowsOf = (format: typeof wines.format, ...prices: string[]) =>
    prices.map((gross, n) => format.parseRow({ ...cells, articlenumber: `A-${n}`, gross }, n + 2).row ?? fail())
  const fail = (): never => {
    throw new Error('a row was refused')
  }
  const inshop = async () =>
    (await merchant.call('wines/getAll', { inshop: 1, orderBy: 'articlenumber ASC' })).json.data.map(
      ({ articlenumber }: Json) => articlenumber,
    )
  await importWines(merchant.id, rowsOf(wines.format, '', '0.00', '9.90'))
  expect(await inshop()).toEqual(['A-1', 'A-2'])
  const stored = await wines.read(merchant.id)
  const exported = wines.exportRows(stored).rows
  expect(exported.map(({ gross }) => gross)).toEqual([null, '0.00', '9.90'])
  expect(wines.plan(stored, exported)).toEqual(nothing(3))
  await importWines(merchant.id, rowsOf(wines.format, '5.00', '0.00', ''))
  expect(await inshop()).toEqual(['A-0', 'A-1'])

  await importRecords(merchant.id, products, [
    { articlenumber: 'P-1', name: 'Glas' },
    { articlenumber: 'P-2', name: 'Karte', gross: '0.00' },
  ])
  const state = await products.read(merchant.id)
  const goods = products.exportRows(state).rows
  expect(goods.map(({ gross }) => gross)).toEqual([null, '0.00'])
  expect(products.plan(state, goods)).toEqual(nothing(2))
})
