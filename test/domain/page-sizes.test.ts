import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import type { Address } from '../../shared/contract/records/address.ts'
import { indexKey, key, partition } from '../../shared/platform/table/keys.ts'
import { putItem, query, tableClient } from '../../shared/platform/table/table.ts'
import { type Answer, call, type Json, newShop } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { publish } from '../support/published.ts'

// A page of a list has 2 MB at most: then it ends early, with the start of the next page.
const shop = await newShop('Kellerei Großauflage')
const merchant = shop.id

const quotes = '"\\'.repeat(5000)
const line = '🍷'.repeat(255)
const plain = { type: 'vingris', countrycode: 'de', region: 1005, public: 1 } as const
const heavy = { description: '🍷'.repeat(10_000), place: line, terroir: line, maturation: line, quality_note: line }
const rows = counted(60).map(
  (n): WineRow => ({
    ...plain,
    categories: ['Schwer'],
    ...heavy,
    ...(n % 2 && { description: quotes }),
    articlenumber: `${n}`,
    name: `Wein ${n} von ${merchant}`,
    nostocktext: line,
    drinktemperature: line,
  }),
)
await importWines(merchant, rows)
await publish(merchant)
const wines = (await query({ pk: partition('wine', { merchant }) })).map(wineOf)
const ids = wines.map(({ id }) => id).toSorted((a, b) => a - b)
const category = wines[0]?.categoryIds[0]

// The partitions of the items that were read.
let read: string[] = []
tableClient.middlewareStack.add(
  next => args => {
    const { RequestItems } = args.input as { RequestItems?: Record<string, { Keys?: { pk: string }[] }> }
    for (const { Keys = [] } of Object.values(RequestItems ?? {})) read.push(...Keys.map(({ pk }) => pk))
    return next(args)
  },
  { step: 'initialize', name: 'keys' },
)
beforeEach(() => {
  read = []
})

const most = 2_000_000
const idsIn = ({ data }: Json): number[] => data.map(({ id }: Json) => id)

/** All pages of a list, each of which must be small enough; the ids they gave. */
const walk = async (ask: (body: object) => Promise<Answer>): Promise<{ pages: Json[]; ids: number[] }> => {
  const pages: Json[] = []
  for (let next: object | undefined = {}; next; ) {
    const { status, json, text } = await ask(next)
    expect([status, json.error]).toEqual([200, undefined])
    expect(Buffer.byteLength(JSON.stringify(json.data))).toBeLessThan(most)
    // As Lambda takes it.
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(6_000_000)
    pages.push({ ...json, data: undefined, wines: undefined, ids: idsIn(json) })
    next = json.pages.next
  }
  return { pages, ids: pages.flatMap(page => page.ids) }
}

const asService = (route: string, body: object) => (more: object) => shop.call(route, { ...body, ...more })

type Ask = (body: object) => Promise<Answer>
const ofAll = asService('wines/getAll', { pageSize: 100 })
const ofPublic: Ask = more => call('/wines/getAll', { pageSize: 100, ...more })

const lists: [string, Ask][] = [
  ['/service/wines/getAll', ofAll],
  ['/service/wines/search', asService('wines/search', { pageSize: 100, query: 'wein' })],
  ['/service/wines/getByCategory', asService('wines/getByCategory', { id: category })],
  ['/service/categories/getWines', asService('categories/getWines', { id: category })],
  ['/service/categories/getWithWines', asService('categories/getWithWines', { id: category })],
  ['/service/wines/getByType', asService('wines/getByType', { type: 'vingris' })],
  ['/wines/getAll', ofPublic],
  ['/wines/search', more => call('/wines/search', { pageSize: 100, query: 'wein', ...more })],
]

test.each(lists)('%s returns each of many large wines once, on pages that end early', async (_, ask) => {
  const { pages, ids: found } = await walk(ask)
  expect(found.toSorted((a, b) => a - b)).toEqual(ids)
  expect(pages.length).toBeGreaterThan(1)
  let before = 0
  for (const { ids: given, totalCount, pages: page } of pages.slice(0, -1)) {
    before += given.length
    expect([totalCount, page.size, page.next]).toEqual([60, given.length, { start: before }])
  }
  expect(pages.at(-1).pages.next).toBeUndefined()
})

test.each(lists)('%s refuses a start that is no number of records', async (_, ask) => {
  for (const start of [-1, 1.5, 'x', true]) {
    const { status, json } = await ask({ start })
    expect([status, json.error, json.fields[0].path]).toEqual([400, 'validation_failed', 'start'])
  }
})

const wineReads = () => read.filter(pk => /wines$|^public/.test(pk)).length

test('a public list of large wines does not read all of them for its first page', async () => {
  const { json } = await ofPublic({})
  expect(wineReads()).toBeGreaterThanOrEqual(json.data.length)
  expect(wineReads()).toBeLessThan(60)
})

test("a merchant's list does not read wines that the instance has from the feed", async () => {
  await ofAll({})
  read = []
  expect((await ofAll({})).json.data.length).toBeGreaterThan(1)
  expect(wineReads()).toBe(0)
})

test.each([ofAll, ofPublic])('short cuts long texts, and no others', async ask => {
  const { json } = await ask({ short: 1, start: '3' })
  for (const { description, place } of json.data) expect([[...description].length, place]).toEqual([2000, line])
  expect(json.data[0].description.endsWith('…')).toBe(true)
  const { json: whole } = await ask({ short: 0, pageSize: 1 })
  expect([...whole.data[0].description]).toHaveLength(10_000)
})

test('a page of small wines begins at start, and only then names the next start', async () => {
  const list = async (body: object) => {
    const { json } = await shop.call('wines/getAll', { orderBy: 'id', short: 1, ...body })
    return [idsIn(json), json.pages]
  }
  expect(await list({ start: 5, pageSize: 2 })).toEqual([
    ids.slice(5, 7),
    { current: 3, total: 30, size: 2, next: { start: 7 } },
  ])
  expect(await list({ page: 3, pageSize: 2 })).toEqual([ids.slice(4, 6), { current: 3, total: 30, size: 2 }])
  expect(await list({ start: 59, pageSize: 2 })).toEqual([ids.slice(59), { current: 30, total: 30, size: 2 }])
  expect(await list({ start: 1000, pageSize: 2 })).toEqual([[], { current: 501, total: 30, size: 2 }])
})

describe('a list of many long addresses', () => {
  const person = { name: line, first_name: line, last_name: line, company: line, title: line, phone: line, gender: 'f' }
  const place = { address: line, address_supplement: line, zip: line, city: line, countrycode: 'de', mail: null }
  const stamps = { crstamp: '2026-01-01 00:00:00', chstamp: '2026-01-01 00:00:00', cruser_id: 1, version: 1 }
  const all = counted(220)

  beforeAll(async () => {
    for (const id of all) {
      const record = { id, type: 'shipping', client_id: 4, ...person, ...place, customers_id: merchant, ...stamps }
      const index = indexKey('address', { client: 4, id })
      await putItem(key('address', { merchant, id }), record as Address, { index })
    }
  })

  test.each([
    ['addresses/getAll', {}],
    ['addresses/getAll', { pageSize: 100, type: 'shipping' }],
    ['addresses/getByClient', { client_id: 4 }],
  ])('%s %j returns each once', async (route, body) => {
    const { pages, ids: found } = await walk(more => shop.call(route, { ...body, ...more }))
    expect(found).toEqual('pageSize' in body ? all.slice(0, 100) : all)
    expect(pages.map(({ totalCount }) => totalCount)).toEqual(pages.map(() => 220))
  })

  test('begins at start or page', async () => {
    const list = async (body: object) => {
      const { json } = await shop.call('addresses/getAll', body)
      return [idsIn(json), json.pages]
    }
    expect(await list({ start: 7, pageSize: 3 })).toEqual([
      [8, 9, 10],
      { current: 3, total: 74, size: 3, next: { start: 10 } },
    ])
    expect(await list({ start: 218 })).toEqual([[219, 220], { current: 1, total: 1, size: 220 }])
    expect(await list({ page: 74, pageSize: 3 })).toEqual([[220], { current: 74, total: 74, size: 3 }])
    expect(await list({ page: 75, pageSize: 3 })).toEqual([[], { current: 75, total: 74, size: 3 }])
  })
})
