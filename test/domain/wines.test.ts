import { importWines } from '../../lib/tool/imports/wines.ts'
import { isDrawn } from '../../shared/catalogue/wines/stored.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import { pictureAt } from '../../shared/values/picture-name.ts'
import { timestamp } from '../../shared/values/time.ts'
import { badIds } from '../support/bad-values.ts'
import { demoWinesOf } from '../support/demo-wines.ts'
import { type Answer, newShop, refusal } from '../support/harness.ts'

const rows = demoWinesOf('sonnenhang')
const shop = await newShop()
await importWines(shop.id, rows)

const get = (named: object) => shop.call('wines/get', named)
const list = (parameters: object = {}) => shop.call('wines/getAll', parameters)
const winesOf = ({ json }: Answer): Wine[] => json.data
const namesOf = (answer: Answer) => winesOf(answer).map(({ name }) => name)
const allOf = async (parameters: object = {}): Promise<Wine[]> => {
  const pages = Math.ceil(rows.length / 100)
  const numbers = Array.from({ length: pages }, (_, n) => n + 1)
  return (await Promise.all(numbers.map(page => list({ pageSize: 100, page, ...parameters })))).flatMap(winesOf)
}

const all = await allOf()
const wine = all.find(({ name }) => all.filter(other => other.name === name).length === 1) as Wine
const otherWine = all.find(({ id }) => id !== wine.id) as Wine

describe('one wine', () => {
  test('it is found by its id, and is in data and wine', async () => {
    const { status, json } = await get({ id: wine.id })
    expect(status).toBe(200)
    expect(json.data).toEqual(wine)
    expect(json.wine).toEqual(json.data)
    expect(json.info).toBe('success')
  })

  test('it is found by a numeric string, by its path_segment and by both', async () => {
    const { id, path_segment } = wine
    for (const named of [{ id: String(id) }, { path_segment }, { id, path_segment }, { id: null, path_segment }]) {
      expect((await get(named)).json.data).toEqual(wine)
    }
  })

  test('it equals the imported one', async () => {
    const row = rows.find(({ articlenumber }) => articlenumber === wine.articlenumber)
    const { winery, categories = [], prices = [], stock, image, facts, ...fields } = row ?? {}
    expect(wine).toMatchObject(fields)
    expect([image, isDrawn(wine.image)]).toEqual(['drawn', true])
    expect(pictureAt(wine.image ?? '')).toMatchObject({ owner: String(wine.id), drawnFor: wine.customers_id })
    expect(wine.winery).toMatchObject(winery ?? {})
    expect(wine.categoryIds).toHaveLength(categories.length)
    expect(wine.prices.map(({ priceRangeName, gross }) => ({ priceRange: priceRangeName, gross }))).toEqual(prices)
    expect(wine).not.toHaveProperty('quantity')
  })

  test('it must be named', async () => {
    for (const named of [{}, { id: null }, { path_segment: '' }, { id: null, path_segment: null }])
      expect(refusal(await get(named))).toEqual([400, 'missing_identifier'])
  })

  test('its names must agree', async () => {
    const answer = await get({ id: otherWine.id, path_segment: wine.path_segment })
    expect(refusal(answer)).toEqual([400, 'identifier_conflict'])
  })

  test('a missing one is not found', async () => {
    for (const named of [
      { id: 2 ** 53 - 1 },
      { path_segment: 'no-such-wine' },
      { path_segment: wine.path_segment.toUpperCase() },
      ...['../wine', 'x'.repeat(256), 'a\u0000b', 'a b'].map(path_segment => ({ path_segment })),
      { id: wine.id, path_segment: 'no-such-wine' },
    ]) {
      expect(refusal(await get(named))).toEqual([404, 'wine_not_found'])
    }
  })

  test('a bad id and a path_segment that is no text are refused by their paths', async () => {
    for (const id of badIds) {
      const { status, json } = await get({ id })
      expect([id, status, json.fields?.[0]?.path]).toEqual([id, 400, 'id'])
    }
    for (const path_segment of [7, true, [], {}]) {
      const { status, json } = await get({ path_segment })
      expect([status, json.fields?.[0]?.path]).toEqual([400, 'path_segment'])
    }
  })
})

describe('the order of a list', () => {
  const german = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, 'de')

  test('recently changed wines come first, then by name', async () => {
    const changed = rows.slice(0, 2).map(row => ({ ...row, description: 'Neu beschrieben.' }))
    // Change times are whole seconds.
    while (timestamp(Date.now()) === all[0]?.chstamp) await new Promise(done => setTimeout(done, 50))
    await importWines(shop.id, changed)
    const now = await allOf()
    const expected = now.toSorted((a, b) => b.chstamp.localeCompare(a.chstamp) || german(a, b))
    expect(now.map(({ name }) => name)).toEqual(expected.map(({ name }) => name))
    const first = now.slice(0, 2).map(({ articlenumber }) => articlenumber)
    expect(first.sort()).toEqual(changed.map(({ articlenumber }) => articlenumber).sort())
    expect(now.slice(2).some(({ chstamp }) => chstamp >= (now[0]?.chstamp ?? ''))).toBe(false)
  })

  test.each([
    ['name', german],
    ['name DESC', (a: Wine, b: Wine) => german(b, a)],
    ['id', (a: Wine, b: Wine) => a.id - b.id],
    ['gross DESC, name asc', (a: Wine, b: Wine) => Number(b.gross) - Number(a.gross) || german(a, b)],
    ['  vintage   desc ,id DESC', (a: Wine, b: Wine) => (b.vintage ?? 1e9) - (a.vintage ?? 1e9) || b.id - a.id],
    ['alcohol,sweetness,acid,bottlesize,gross', (a: Wine, b: Wine) => Number(a.alcohol) - Number(b.alcohol)],
  ])('it follows orderBy "%s"', async (orderBy, compare) => {
    const wines = await allOf({ orderBy })
    expect(wines).toHaveLength(rows.length)
    for (const [n, one] of wines.slice(1).entries()) expect(compare(wines[n] as Wine, one)).toBeLessThanOrEqual(0)
  })

  test('equals are sorted by id', async () => {
    const ids = (await allOf({ orderBy: 'countrycode, taxrate' })).map(({ countrycode, id }) => ({ countrycode, id }))
    const expected = ids.toSorted((a, b) => a.countrycode.localeCompare(b.countrycode) || a.id - b.id)
    expect(ids).toEqual(expected)
  })

  test.each([
    'nonsense',
    'name,,id',
    'name; DROP TABLE wines',
    7,
    ['name'],
  ])('orderBy %j is refused by its path', async orderBy => {
    const { status, json } = await list({ orderBy })
    expect([status, json.error]).toEqual([400, 'validation_failed'])
    expect(json.fields[0].path).toMatch(/^orderBy/)
  })

  test('without orderBy the order is the default one', async () => {
    const usual = namesOf(await list())
    for (const orderBy of [null, '', 'chstamp DESC, name ASC']) expect(namesOf(await list({ orderBy }))).toEqual(usual)
  })
})

describe('the pages of a list', () => {
  const total = rows.length

  test('the first has 16 wines', async () => {
    const { json } = await list()
    expect(json.data).toHaveLength(16)
    expect(json).toMatchObject({ totalCount: total, pages: { current: 1, total: Math.ceil(total / 16), size: 16 } })
  })

  test('together they are the whole list, each wine once', async () => {
    const pages = Math.ceil(total / 7)
    const found: number[] = []
    for (let page = 1; page <= pages; page++) {
      const { json } = await list({ page: String(page), pageSize: '7' })
      expect(json.pages).toEqual({ current: page, total: pages, size: 7 })
      found.push(...json.data.map(({ id }: Wine) => id))
    }
    expect(found.toSorted((a, b) => a - b)).toEqual(all.map(({ id }) => id).toSorted((a, b) => a - b))
  })

  test('a size above 100 is treated as 100, and the answer reports that', async () => {
    for (const pageSize of [101, 500, '1000000', 2 ** 53 - 1]) {
      const { json } = await list({ pageSize })
      expect(json.pages).toEqual({ current: 1, total: Math.ceil(total / 100), size: 100 })
      expect(json.data).toHaveLength(Math.min(100, total))
    }
  })

  test('one past the end is empty and has the right totals', async () => {
    for (const page of [Math.ceil(total / 16) + 1, 1_000_000, 2 ** 53 - 1]) {
      const { status, json } = await list({ page })
      expect([status, json.data, json.totalCount]).toEqual([200, [], total])
      expect(json.pages).toEqual({ current: page, total: Math.ceil(total / 16), size: 16 })
    }
  })

  test.each(['page', 'pageSize'])('a bad %s is refused by its path', async field => {
    for (const value of badIds) {
      const { status, json } = await list({ [field]: value })
      expect([value, status, json.fields?.[0]?.path]).toEqual([value, 400, field])
    }
  })

  test('a merchant without wines has one empty page', async () => {
    const { json } = await (await newShop()).call('wines/getAll')
    expect(json).toMatchObject({ data: [], totalCount: 0, pages: { current: 1, total: 1, size: 16 } })
  })
})

test('unknown parameters of existing clients are ignored', async () => {
  const more = { filter: [], language: 'de', lazy: '0', cluster: ['type'], submitted: true }
  expect((await list(more)).json.totalCount).toBe(rows.length)
  expect((await get({ id: wine.id, ...more })).status).toBe(200)
})
