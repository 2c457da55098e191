import { categories } from '../../lib/tool/imports/categories.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { type Json, newShop } from '../support/harness.ts'
import { metered } from '../support/meter.ts'
import { counted } from '../support/partitions.ts'

// Lists of wineries and categories are cached, and include every change.
const shop = await newShop('Kellerei Liste')
const merchant = shop.id
const freetext = 'Steil, sonnig und alt. '.repeat(40)
const rowOf = (n: number): WineRow => ({
  ...({ articlenumber: `${n}`, name: `Wein ${n}`, type: 'red', countrycode: 'de', region: 1005 } as const),
  winery: { name: `Gut ${n}`, freetext },
  categories: [`Gruppe ${n % 3}`],
  ...({ gross: '9.50', shop: 1 } as const),
})
const rows = counted(60).map(rowOf)
await importWines(merchant, rows)

const ask = (route: string, body: object = {}) => shop.call(route, body)
const wineries = async (): Promise<Json[]> => (await ask('wineries/getAll')).json.data
const clusters = async () => (await ask('wines/getAll', { cluster: ['winery', 'categories'] })).json.clusters

test('wineries, categories and clusters that were read before cost one read unit a list, and those of wines one more for their merchant', async () => {
  const cost = async (route: string, body: object = {}) => {
    await ask(route, body)
    const { value, units } = await metered(() => ask(route, body))
    expect(value.status).toBe(200)
    return units
  }
  expect(await cost('wineries/getAll')).toBe(1)
  expect(await cost('wineries/get', { path_segment: 'gut-7' })).toBe(1)
  expect(await cost('categories/getAll')).toBe(1)
  expect(await cost('wines/getAll')).toBe(2)
  expect(await cost('wines/getAll', { cluster: ['winery', 'categories'] })).toBe(4)
})

test('a winery that an import adds or changes is in the next list, and in the clusters', async () => {
  expect(await wineries()).toHaveLength(60)
  await importWines(merchant, [rowOf(61)])
  expect((await wineries()).map(({ name }) => name)).toContain('Gut 61')
  expect((await clusters()).winery).toContainEqual({ id: 61, name: 'Gut 61' })
  await importWines(merchant, [{ ...rowOf(61), winery: { name: 'Gut 61', city: 'Zell' } }])
  expect((await wineries()).find(({ name }) => name === 'Gut 61')).toMatchObject({ city: 'Zell' })
})

test('a category that an import adds or changes is in the next list, and new categories on their wines', async () => {
  const names = async () => (await ask('categories/getAll')).json.data.map(({ name }: Json) => name)
  const bioOf = async () => (await ask('wines/getAll', { query: { articlenumber: '62' } })).json.data[0]?.categories
  expect(await names()).toEqual(['Gruppe 0', 'Gruppe 1', 'Gruppe 2'])
  await importRecords(merchant, categories, [{ name: 'Gruppe 1', sorting: 9 }])
  expect(await names()).toEqual(['Gruppe 0', 'Gruppe 2', 'Gruppe 1'])
  await importWines(merchant, [{ ...rowOf(62), categories: ['Bio', 'Gruppe 0'] }])
  expect(await names()).toContain('Bio')
  expect((await bioOf()).map(({ name }: Json) => name).toSorted()).toEqual(['Bio', 'Gruppe 0'])
})

test('wineries and wines have the further names that existing shops read', async () => {
  const [first] = await wineries()
  expect(first).toMatchObject({ name: 'Gut 1', company: 'Gut 1' })
  await importWines(merchant, [{ ...rowOf(1), winery: { name: 'Gut 1', company: 'Gut Eins GmbH' } }])
  expect((await ask('wineries/get', { id: first?.id })).json.data.company).toBe('Gut Eins GmbH')
  const aliases = {
    price: '9.50',
    expertiseStatus: 'OK',
    categories: [{ id: expect.any(Number), name: expect.stringMatching(/^Gruppe/) }],
  }
  const {
    data: [listed],
  } = (await ask('wines/getAll', { query: { articlenumber: '3' } })).json
  expect(listed).toMatchObject(aliases)
  const { json } = await ask('wines/get', { id: listed.id })
  expect(json.data).toEqual(listed)
  expect(json).toEqual({ info: 'success', data: listed, wine: listed, ...listed })
  await ask('wines/edit', { id: listed.id, data: { shop: 0, gross: '10.50' } })
  expect((await ask('wines/get', { id: listed.id })).json).toMatchObject({ price: '10.50', expertiseStatus: null })
})

test('an order is found by a nested uuid', async () => {
  const missing = { uuid: { uuid: '7F000000-0000-4000-8000-000000000001' } }
  expect((await ask('orders/get', missing)).json.error).toBe('order_not_found')
  expect((await ask('orders/get', { uuid: { uuid: 7 } })).json).toMatchObject({
    error: 'validation_failed',
    fields: [{ path: 'uuid' }],
  })
})
