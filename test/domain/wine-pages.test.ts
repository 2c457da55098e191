import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { feedVersion } from '../../shared/catalogue/search/feed.ts'
import { readWineRecords } from '../../shared/catalogue/search/wine-records.ts'
import { findPublic } from '../../shared/catalogue/wines/public-store.ts'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { getEntries, query } from '../../shared/platform/table/table.ts'
import { call, newShop } from '../support/harness.ts'
import { metered } from '../support/meter.ts'
import { counted } from '../support/partitions.ts'
import { publish } from '../support/published.ts'

const shop = await newShop()
const merchant = shop.id
// As large as wines are: each takes a read unit of its own.
const description = 'Mineralisch, kühl und lang. '.repeat(100)
const rows = counted(130).map(
  (n): WineRow => ({
    articlenumber: `${n}`,
    name: `Wein ${n}`,
    description,
    type: 'red',
    countrycode: 'de',
    region: 1005,
    categories: ['Viele'],
  }),
)
await importWines(merchant, rows)
const ids = (await query({ pk: partition('wine', { merchant }) })).map(item => wineOf(item).id)
const [first = 0] = ids

const list = (body: object = {}) => shop.call('wines/getAll', body)
const edit = (id: number, name: string) => shop.call('wines/edit', { id, data: { name } })
const versionsNow = async () => {
  const entries = await getEntries(ids.map(id => key('wine', { merchant, id })))
  return new Map(ids.map((id, n) => [id, feedVersion(entries[n] ?? { index: '' })]))
}

let instances = 0
/** Reads documents as a new instance: nothing is cached. */
const newInstance = () => {
  const name = `instance-${++instances}`
  return (versions: Map<number, number>, wanted = ids.slice(0, 16)) => {
    const index = { versionOf: (id: number) => versions.get(id) ?? -1 }
    return metered(() => readWineRecords(merchant, { name }, index, wanted))
  }
}
const names = (documents: readonly (string | undefined)[]) => documents.map(doc => doc && wineOf({ doc }).name)

test('a page of cached wines costs two units, one of them for its merchant, also after an edit', async () => {
  await list()
  const warm = await metered(() => list())
  expect([warm.value.json.data.length, warm.requests, warm.units]).toEqual([16, 2, 2])
  await edit(first, 'Geändert')
  const after = await metered(() => list({ query: 'Geändert' }))
  expect([after.value.json.data.map(({ name }: { name: string }) => name), after.requests]).toEqual([['Geändert'], 2])
  expect((await metered(() => list({ query: 'Geändert' }))).units).toBe(2)
})

test('an instance reads each wine once', async () => {
  const read = newInstance()
  const versions = await versionsNow()
  const cold = await read(versions)
  expect([cold.requests, cold.units]).toEqual([1, 16])
  const warm = await read(versions)
  expect([warm.requests, warm.value]).toEqual([0, cold.value])
  const more = await read(versions, ids.slice(14, 20))
  expect([more.requests, more.units]).toEqual([1, 4])
})

test('a wine is cached under its own version, not that of the index', async () => {
  const read = newInstance()
  const before = await versionsNow()
  await edit(first, 'Danach')
  const early = await read(before, [first])
  expect(names(early.value)).toEqual(['Danach'])
  // The index still has the version before, which the cached one does not match.
  expect((await read(before, [first])).requests).toBe(1)
  expect((await read(await versionsNow(), [first])).requests).toBe(0)
})

test('a changed wine is read again at its new version, and an older one never replaces it', async () => {
  const read = newInstance()
  await read(await versionsNow(), [first])
  await edit(first, 'Neu')
  const after = await versionsNow()
  expect(names((await read(after, [first])).value)).toEqual(['Neu'])
  expect((await read(after, [first])).requests).toBe(0)
})

test('a wine that no longer exists is undefined in its place', async () => {
  const read = newInstance()
  const documents = await read(await versionsNow(), [first, 2 ** 40, ids[1] ?? 0])
  expect(documents.value.map(doc => doc === undefined)).toEqual([false, true, false])
})

test('public reads are eventually consistent, at half the cost', async () => {
  for (const id of ids.slice(0, 3)) await shop.call('wines/edit', { id, data: { public: 1 } })
  await publish(merchant)
  const list = () => call('/wines/getAll', { filter: { public: 1 } })
  // Shortly after a refresh of the index only the records and their merchants are read.
  let again = await metered(list)
  for (let tries = 0; again.requests > 2 && tries < 20; tries++) again = await metered(list)
  expect([again.value.json.data.length, again.requests, again.units]).toEqual([3, 2, 2])
  expect((await metered(() => findPublic({ id: first }))).units).toBe(1)
})

describe('the wines of a category or type', () => {
  const lists: [string, object][] = [
    ['wines/getByType', { type: 'red' }],
    ['wines/getByCategory', { path_segment: 'viele' }],
    ['categories/getWines', { path_segment: 'viele' }],
    ['categories/getWithWines', { path_segment: 'viele' }],
  ]
  const ask = async (route: string, body: object) => {
    const { json } = await shop.call(route, body)
    return { ids: json.data.map(({ id }: { id: number }) => id), totalCount: json.totalCount, pages: json.pages }
  }

  test.each(lists)('come whole by %s without a pageSize', async (route, named) => {
    const { ids: found, totalCount, pages } = await ask(route, named)
    expect(found.toSorted((a: number, b: number) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
    expect([totalCount, pages]).toEqual([130, { current: 1, total: 1, size: 130 }])
    expect((await ask(route, { ...named, start: 120 })).ids).toEqual(found.slice(120))
  })

  test.each(lists)('are limited by max of %s', async (route, named) => {
    expect((await ask(route, { ...named, max: 110 })).ids).toHaveLength(110)
  })

  test.each(lists.slice(1))('come in pages by %s with a pageSize', async (route, named) => {
    const second = await ask(route, { ...named, pageSize: 50, page: 3 })
    expect([second.ids.length, second.pages]).toEqual([30, { current: 3, total: 3, size: 50 }])
    expect((await ask(route, { ...named, page: 2 })).ids).toEqual([])
  })
})
