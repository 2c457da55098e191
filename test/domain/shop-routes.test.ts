import { categories as categoryKind } from '../../lib/tool/imports/categories.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { raiseWineries } from '../../shared/catalogue/record-versions.ts'
import { changeMerchant } from '../../shared/merchants/edit.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem } from '../../shared/platform/table/table.ts'
import { put, transact } from '../../shared/platform/table/transact.ts'
import { refusal } from '../support/buyer.ts'
import { rows } from '../support/cellar.ts'
import { newProduct, setMerchant, setPackages } from '../support/checkout.ts'
import { type Json, newShop } from '../support/harness.ts'

const shop = await newShop('Kellerei Regal', ['invoice', 'prepaid'])
const own: Record<string, Partial<WineRow>> = {
  riesling: { winery: { name: 'Müller' }, categories: ['Weißwein', 'Bio'], shop: 1, public: 1 },
  secco: { winery: { name: 'Mueller', city: 'Asti' }, categories: ['Weißwein'], shop: 1 },
  juice: { categories: ['Säfte'], shop: 0 },
  hidden: { winery: { name: 'Abel' }, categories: ['Bio'], shop: 1 },
}
await importWines(
  shop.id,
  rows.map(row => ({ ...row, ...own[row.articlenumber ?? ''] })),
)
await importRecords(shop.id, categoryKind, [
  { name: 'Bio', description: 'Ohne Gift.', sorting: 1 },
  { name: 'Weißwein', sorting: 2 },
  { name: 'Säfte', sorting: 3 },
])
const { call } = shop
const data = async (route: string, body: object = {}): Promise<Json> => (await call(route, body)).json.data
const names = (list: Json[]) => list.map(({ name }) => name)

const [bio, white, juices] = (await data('categories/getAll')) as [Json, Json, Json]

describe('categories', () => {
  test('are listed in their order, as categories too', async () => {
    const { json } = await call('categories/getAll', { filter: [], orderBy: '' })
    expect(json.categories).toEqual(json.data)
    expect(bio).toEqual({
      id: expect.any(Number),
      name: 'Bio',
      path_segment: 'bio',
      description: 'Ohne Gift.',
      image: null,
      sorting: 1,
    })
    expect(names(json.data)).toEqual(['Bio', 'Weißwein', 'Säfte'])
    expect(names(await data('categories/getAll', { orderBy: 'name DESC' }))).toEqual(['Weißwein', 'Säfte', 'Bio'])
    expect(names(await data('categories/getAll', { pageSize: 2, page: 2 }))).toEqual(['Säfte'])
    expect(refusal(await call('categories/getAll', { orderBy: 'image' }))).toEqual([
      400,
      'validation_failed',
      'orderBy.0',
    ])
  })

  test('are read by id or path_segment', async () => {
    for (const name of [{ id: white.id }, { id: String(white.id) }, { path_segment: 'weisswein' }]) {
      const { json } = await call('categories/get', name)
      expect([json.data, json.category]).toEqual([white, white])
    }
    expect(refusal(await call('categories/get'))).toEqual([400, 'missing_identifier'])
    expect(refusal(await call('categories/get', { id: 4711 }))).toEqual([404, 'category_not_found'])
    expect(refusal(await call('categories/get', { path_segment: 'rotwein' }))).toEqual([404, 'category_not_found'])
    expect(refusal(await call('categories/get', { id: bio.id, path_segment: 'weisswein' }))).toEqual([
      400,
      'identifier_conflict',
    ])
  })

  test('have their wines, with inshop those of the shop', async () => {
    const asked = { path_segment: 'bio', sortBy: 'name', sortDirection: 'DESC' }
    expect(names(await data('categories/getWines', asked))).toEqual(['Stillgelegt', 'Riesling Kabinett'])
    const { json } = await call('categories/getWithWines', { ...asked, inshop: true, cluster: ['type'] })
    expect(names(json.data)).toEqual(['Riesling Kabinett'])
    expect(json.category).toEqual(bio)
    expect(json.clusters).toEqual({ type: ['white'] })
    expect(await data('categories/getWines', { path_segment: 'rotwein' })).toEqual([])
    expect(refusal(await call('categories/getWithWines', { path_segment: 'rotwein' }))).toEqual([
      404,
      'category_not_found',
    ])
    for (const route of ['getWines', 'getWithWines']) {
      expect(refusal(await call(`categories/${route}`, {}))).toEqual([400, 'missing_identifier'])
      expect(refusal(await call(`categories/${route}`, { id: bio.id, path_segment: 'weisswein' }))).toEqual([
        400,
        'identifier_conflict',
      ])
    }
  })
})

describe('lists of wines', () => {
  test('repeat wines and pagination, and contain the clusters over all matches', async () => {
    const body = { pageSize: 1, cluster: ['type', 'vintage', 'categories', 'winery', 'taste_id', 'nonsense', 7] }
    const { json } = await call('wines/getAll', body)
    expect([json.wines, json.pagination]).toEqual([json.data, json.pages])
    expect(json.clusters).toEqual({
      type: ['grapeJuice', 'white'],
      vintage: [],
      taste_id: [],
      categories: [bio, juices, white].map(({ id, name }) => ({ id, name })),
      winery: ['Abel', 'Mueller', 'Müller'].map(name => ({ id: expect.any(Number), name })),
    })
    const searched = await call('wines/search', { query: 'riesling', cluster: ['categories'], max: 9, lazy: false })
    expect(searched.json.clusters).toEqual({ categories: [bio, white].map(({ id, name }) => ({ id, name })) })
    const typed = await call('wines/getByType', { type: 'grapeJuice', cluster: 'bio,type' })
    expect(typed.json.clusters).toEqual({ bio: [0], type: ['grapeJuice'] })
    expect((await call('wines/getAll', { cluster: [] })).json.clusters).toBeUndefined()
    expect(refusal(await call('wines/getAll', { cluster: 7 }))).toEqual([400, 'validation_failed', 'cluster'])
  })

  test('count the matches of each value, without the filter of the field itself', async () => {
    const cluster = ['type', 'categories', 'winery', 'bio']
    const body = { cluster, clusterCounts: '1', filter: { type: ['white'], winery_id: null } }
    const { json } = await call('wines/search', body)
    // All fields except type have the values of the filtered wines; winery_id is requested by its other name.
    expect(json.clusterCounts).toEqual({
      type: Object.fromEntries(
        await Promise.all(
          json.clusters.type.map(async (type: string) => {
            const narrowed = await call('wines/search', { filter: { type, winery_id: null } })
            return [type, narrowed.json.totalCount]
          }),
        ),
      ),
      categories: expect.any(Object),
      winery: expect.any(Object),
      bio: expect.any(Object),
    })
    expect(Object.values(json.clusterCounts.bio as Record<string, number>)).toEqual([json.totalCount])
    const all = (await call('wines/search', { cluster, clusterCounts: 1 })).json
    for (const { id } of all.clusters.categories) {
      const { totalCount } = (await call('wines/search', { filter: { categoryIds: id } })).json
      expect([id, all.clusterCounts.categories[id]]).toEqual([id, totalCount])
    }
    for (const { id } of all.clusters.winery) {
      const { totalCount } = (await call('wines/search', { filter: { winery_id: id } })).json
      expect([id, all.clusterCounts.winery[id]]).toEqual([id, totalCount])
    }
    const without = (await call('wines/search', { cluster })).json
    expect(without.clusterCounts).toBeUndefined()
    expect(without.clusters).toEqual(all.clusters)
    const typed = await call('wines/getByType', { type: 'grapeJuice', cluster: 'type', clusterCounts: 1 })
    expect(typed.json.clusterCounts).toEqual({ type: { grapeJuice: typed.json.totalCount } })
    const filed = await call('categories/getWithWines', {
      path_segment: 'bio',
      cluster: 'categories',
      clusterCounts: 1,
    })
    expect(filed.json.clusterCounts.categories[bio.id]).toBe(filed.json.totalCount)
  })

  test('with inshop contain active wines of the shop, as does a single wine', async () => {
    expect(names(await data('wines/getAll', { inshop: true, orderBy: 'name' }))).toEqual([
      'Riesling Kabinett',
      'Secco weiß',
    ])
    const ids = Object.fromEntries(
      (await data('wines/getAll')).map(({ articlenumber, id }: Json) => [articlenumber, id]),
    )
    for (const articlenumber of ['juice', 'hidden', 'gone'])
      expect(refusal(await call('wines/get', { id: ids[articlenumber], inshop: true }))).toEqual([
        404,
        'wine_not_found',
      ])
    expect((await call('wines/get', { id: ids.riesling, inshop: true })).status).toBe(200)
    expect((await call('wines/get', { id: ids.hidden, inshop: 0 })).status).toBe(200)
  })
})

describe('wineries', () => {
  test('are listed and read as wines embed them, with a path_segment of their own', async () => {
    const list = await data('wineries/getAll')
    expect(list.map(({ name, path_segment }: Json) => [name, path_segment])).toEqual([
      ['Abel', 'abel'],
      ['Mueller', 'mueller-2'],
      ['Müller', 'mueller'],
    ])
    const { winery } = (await data('wines/search', { query: 'secco' }))[0]
    expect(list[1]).toEqual({ ...winery, company: 'Mueller' })
    for (const name of [{ id: winery.id }, { path_segment: 'mueller-2' }])
      expect(await data('wineries/get', name)).toEqual(list[1])
    expect(refusal(await call('wineries/get', {}))).toEqual([400, 'missing_identifier'])
    expect(refusal(await call('wineries/get', { id: winery.id, path_segment: 'abel' }))).toEqual([
      400,
      'identifier_conflict',
    ])
    expect(refusal(await call('wineries/get', { path_segment: 'keines' }))).toEqual([404, 'winery_not_found'])
  })

  test('are hidden from the shop while they are not active; one of an older import answers to its name and id', async () => {
    const [abel] = await data('wineries/getAll')
    const place = key('winery', { merchant: shop.id, id: abel.id })
    const { path_segment: _, ...old } = (await getItem(place)) as Json
    const action = put('winery', place, { ...old, active: 0 } as Json)
    await transact([raiseWineries(shop.id, [action]), action])
    const segment = `abel-${abel.id}`
    expect(await data('wineries/get', { path_segment: segment })).toMatchObject({ name: 'Abel', path_segment: segment })
    expect(refusal(await call('wineries/get', { id: abel.id, inshop: true }))).toEqual([404, 'winery_not_found'])
    expect(names(await data('wineries/getAll', { inshop: true }))).toEqual(['Mueller', 'Müller'])
  })
})

describe('products', () => {
  const listed = async (body: object) => names(await data('products/getAll', body))
  beforeAll(async () => {
    await newProduct(shop, {
      id: 1,
      name: 'Glas',
      path_segment: 'glas',
      gross: '9.90',
      sorting: 2,
      categoryIds: [bio.id],
    })
    await newProduct(shop, {
      id: 2,
      name: 'Öl',
      gross: '12.50',
      sorting: 1,
      topseller: 1,
      categoryIds: [bio.id, juices.id],
    })
    await newProduct(shop, { id: 3, name: 'Alt', shop: 0, sorting: 3 })
    await newProduct(shop, { id: 4, name: 'Weg', active: 0, sorting: 4 })
  })

  test('are listed in their order, by filters and by category', async () => {
    expect(await listed({})).toEqual(['Öl', 'Glas', 'Alt', 'Weg'])
    expect(await listed({ filter: [], inshop: true })).toEqual(['Öl', 'Glas'])
    expect(await listed({ filter: { shop: true, topseller: '1' } })).toEqual(['Öl'])
    expect(await listed({ filter: { tags: { id: String(juices.id) } } })).toEqual(['Öl'])
    expect(await listed({ filter: { tags: { path_segment: 'bio' } }, orderBy: 'gross DESC' })).toEqual(['Öl', 'Glas'])
    expect(await listed({ filter: { tags: [] } })).toEqual(['Öl', 'Glas', 'Alt', 'Weg'])
    expect(await listed({ filter: { tags: { path_segment: 'keine' } } })).toEqual([])
    const { json } = await call('products/getAll', { pageSize: 3, page: 2 })
    expect([json.totalCount, json.pages]).toEqual([4, { current: 2, total: 2, size: 3 }])
    expect(refusal(await call('products/getAll', { filter: { colour: 'red', shop: 2 } }))).toEqual([
      400,
      'validation_failed',
      'filter',
    ])
    const both = { id: bio.id, path_segment: 'saefte' }
    expect(refusal(await call('products/getAll', { filter: { tags: both } }))).toEqual([400, 'identifier_conflict'])
  })

  test('are read by id or path_segment, with inshop only if the shop sells them', async () => {
    expect(await data('products/get', { path_segment: 'glas' })).toMatchObject({ id: 1, gross: '9.90', topseller: 0 })
    expect(await data('products/get', { id: 2 })).toMatchObject({
      path_segment: 'oel-2',
      categoryIds: [bio.id, juices.id],
    })
    expect(await data('products/get', { path_segment: 'oel-2', inshop: true })).toMatchObject({ id: 2 })
    for (const id of [3, 4]) {
      expect((await call('products/get', { id })).status).toBe(200)
      expect(refusal(await call('products/get', { id, inshop: true }))).toEqual([404, 'product_not_found'])
    }
    expect(refusal(await call('products/get', {}))).toEqual([400, 'missing_identifier'])
    expect(refusal(await call('products/get', { id: 1, path_segment: 'oel-2' }))).toEqual([400, 'identifier_conflict'])
  })
})

describe('packaging', () => {
  test('returns the shipping cost of bottles, for all packages together', async () => {
    expect(refusal(await call('packaging/find', { type: 'bottles', bottles: 6 }))).toEqual([404, 'package_not_found'])
    expect(await data('packaging/getAll')).toEqual([])
    await setPackages(shop)
    const body = {
      type: 'bottles',
      bottles: '6',
      net: 49.92,
      tax: 9.48,
      gross: 59.400000000000006,
      quantity: 6,
      filter: [],
    }
    const { json } = await call('packaging/find', body)
    expect(json).toEqual({
      info: 'success',
      data: {
        id: 1,
        name: 'Versand bis 6 Flaschen',
        net: '5.00',
        tax: '0.95',
        gross: '5.95',
        taxrate: 19,
        quantity: 1,
      },
      summary: { freightfreelimit: null },
    })
    await setMerchant(shop, { freight_free_from: '59.40' })
    const free = (await call('packaging/find', body)).json
    expect(free.data).toMatchObject({ id: 1, net: '0.00', tax: '0.00', gross: '0.00' })
    expect(free.summary).toEqual({ freightfreelimit: '59.40' })
    for (const sums of [{ gross: 59.39 }, {}, { net: '49.92', tax: '9.4749' }])
      expect(await data('packaging/find', { bottles: 6, ...sums })).toMatchObject({ gross: '5.95' })
    expect(await data('packaging/find', { bottles: 6, net: '49.92', tax: '9.48' })).toMatchObject({ gross: '0.00' })
    expect(refusal(await call('packaging/find', { bottles: 0 }))).toEqual([404, 'package_not_found'])
    expect((await data('packaging/getAll')).map(({ name }: Json) => name)).toEqual([
      'Versand bis 6 Flaschen',
      'Versand bis 12 Flaschen',
      'Versand ab 13 Flaschen',
    ])
  })

  test.each([
    [{}, 'bottles'],
    [{ bottles: -1 }, 'bottles'],
    [{ bottles: 1.5 }, 'bottles'],
    [{ bottles: 1, type: 'weight' }, 'type'],
    [{ bottles: 1, gross: 'much' }, 'gross'],
    [{ bottles: 1, gross: 1e300 }, 'gross'],
  ])('refuses %j', async (body, path) => {
    expect(refusal(await call('packaging/find', body))).toEqual([400, 'validation_failed', path])
  })
})

describe('the merchant itself', () => {
  const nothing = { iban: null, bic: null, bankname: null, bank: null, owner: null }

  test('is returned with the fields for pages and mails, and without credentials', async () => {
    const bare = await data('customers/getMy', { filter: [] })
    expect(bare).toMatchObject({ id: shop.id, type: 'winery', company: 'Kellerei Regal', name: 'Kellerei Regal' })
    expect(bare).toMatchObject({ mail: null, tax_free: 0, image: null, settings: { bank: nothing } })
    await changeMerchant(shop.id, {
      company: 'Regal GmbH',
      mail: 'wein@regal.example',
      iban: 'DE89370400440532013000',
      bankname: 'Bank',
      bank_owner: 'Regal GmbH',
      freight_free_from: '99.00',
    })
    const { json, text } = await call('customers/getMy')
    expect(json.data).toMatchObject({ company: 'Regal GmbH', mail: 'wein@regal.example', email: 'wein@regal.example' })
    expect(json.data.settings).toMatchObject({
      bank: { iban: 'DE89370400440532013000', bic: null, bankname: 'Bank', bank: 'Bank', owner: 'Regal GmbH' },
      freightfreelimit: '99.00',
    })
    expect(text).not.toMatch(/token|digest|authid|wk-/)
  })

  test('returns its payment types, as payments too', async () => {
    const { json } = await call('customers/availablePayments', { filter: [] })
    expect([json.data, json.payments]).toEqual([
      ['invoice', 'prepaid'],
      ['invoice', 'prepaid'],
    ])
  })
})

test('missing modules answer 404', async () => {
  for (const route of ['bundles/getAll', 'news/getAll', 'texts/getAll'])
    expect(refusal(await call(route, {}))).toEqual([404, 'route_not_found'])
})
