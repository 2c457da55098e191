import { importWines } from '../../lib/tool/imports/wines.ts'
import { wineOf, wireWine } from '../../shared/catalogue/wines/stored.ts'
import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { demoWinesOf } from '../support/demo-wines.ts'
import { newShop } from '../support/harness.ts'
import { answerByScan, found, idsOf } from '../support/wine-questions.ts'

const rare = 'Süßes & Rares'
const rows = demoWinesOf('sonnenhang').map((row, n) => ({ ...row, categories: n % 3 ? ['Übrige'] : [rare, 'Bio'] }))
const shop = await newShop()
await importWines(shop.id, rows)
const wines = (await query({ pk: partition('wine', { merchant: shop.id }) })).map(item => wireWine(wineOf(item)))
const categories = await query<{ id: number; name: string }>({ pk: partition('category', { merchant: shop.id }) })
const category = categories.find(({ name }) => name === rare)?.id as number
const inCategory = wines.filter(({ categoryIds }) => categoryIds.includes(category))

test('both are marked as deprecated, and other lists are not', async () => {
  const ofCategory = await shop.call('wines/getByCategory', { id: category })
  const ofType = await shop.call('wines/getByType', { type: 'red' })
  for (const { status, headers } of [ofCategory, ofType]) {
    expect([status, headers.get('deprecation')]).toEqual([200, '@1767225600'])
  }
  expect((await shop.call('wines/getAll')).headers.has('deprecation')).toBe(false)
})

describe('a category', () => {
  const list = (question: object) => shop.call('wines/getByCategory', question)

  test('is named by id or path_segment and sorted by any field, its direction spelled either way', async () => {
    const ascending = answerByScan(inCategory, { orderBy: 'name', pageSize: 100 }).ids
    const descending = answerByScan(inCategory, { orderBy: 'name DESC', pageSize: 100 }).ids
    expect(ascending).toHaveLength(inCategory.length)
    expect(ascending).not.toEqual(descending)
    const byName = { path_segment: 'suesses-rares', sortBy: 'name', pageSize: 100 }
    const inDirection = async (more: object) => idsOf(await list({ ...byName, ...more }))
    expect(await inDirection({})).toEqual(ascending)
    expect(await inDirection({ path_segment: null, id: String(category), sortDirection: 'ASC' })).toEqual(ascending)
    expect(await inDirection({ sortDirection: 'DESC' })).toEqual(descending)
    expect(await inDirection({ sortDirectition: 'desc' })).toEqual(descending)
    expect(await inDirection({ sortDirection: 'ASC', sortDirectition: 'asc' })).toEqual(ascending)
  })

  test('is searched, filtered and paged like any list', async () => {
    const question = { query: 'r', filter: { countrycode: ['de', 'at'] }, page: 2, pageSize: 4, orderBy: 'vintage, id' }
    expect(found(await list({ id: category, ...question }))).toEqual(answerByScan(inCategory, question))
  })

  test('that does not exist has no wines', async () => {
    for (const named of [{ id: 999_999 }, { path_segment: 'keine' }, { path_segment: '../1' }]) {
      expect(found(await list(named))).toMatchObject({ ids: [], totalCount: 0 })
    }
  })

  test('must be named', async () => {
    for (const named of [{}, { id: null }, { path_segment: '' }]) {
      const { status, json } = await list(named)
      expect([status, json.error]).toEqual([400, 'missing_identifier'])
    }
  })

  test.each<[object, string]>([
    [{ id: 1, sortBy: 'winery' }, 'sortBy'],
    [{ id: 1, sortDirection: 'ASC', sortDirectition: 'DESC' }, 'sortDirectition'],
    [{ id: 1, sortDirection: 'UP' }, 'sortDirection'],
    [{ id: 1, sortDirectition: 1 }, 'sortDirectition'],
    [{ id: '1x' }, 'id'],
    [{ id: 1, query: { nonsense: 1 } }, 'query.nonsense'],
  ])('with %j is refused by its path', async (question, path) => {
    const { status, json } = await list(question)
    expect([status, json.fields[0].path]).toEqual([400, path])
  })
})

describe('a type', () => {
  const list = (question: object) => shop.call('wines/getByType', question)
  const whites = answerByScan(wines, { filter: { type: 'white' }, pageSize: 100 })

  test('has a start and a limit, and is repeated as wines', async () => {
    const all = await list({ type: 'white' })
    expect([idsOf(all), all.json.totalCount]).toEqual([whites.ids, whites.totalCount])
    expect(all.json.wines).toEqual(all.json.data)
    const some = await list({ type: 'white', start: '7', max: 5 })
    expect(idsOf(some)).toEqual(whites.ids.slice(7, 12))
    expect(some.json.totalCount).toBe(whites.totalCount)
  })

  test('has pages if a pageSize is given', async () => {
    const { json } = await list({ type: 'white', page: 2, pageSize: 3, max: 5 })
    expect(json.data.map(({ id }: { id: number }) => id)).toEqual(whites.ids.slice(3, 6))
    expect(json.pages).toMatchObject({ current: 2, size: 3 })
  })

  test('past the end, or with no wines, is empty', async () => {
    for (const question of [{ type: 'white', start: 100_000 }, { type: 'vingris' }]) {
      expect(idsOf(await list(question))).toEqual([])
    }
  })

  test.each([
    {},
    { type: 'beer' },
    { type: null },
    { type: 'red', start: -1 },
    { type: 'red', max: 0 },
  ])('with %j is refused', async question => {
    expect((await list(question)).status).toBe(400)
  })
})
