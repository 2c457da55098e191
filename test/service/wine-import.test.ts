import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { readRows, rowsText } from '../../lib/tool/imports/files.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { readCatalogue } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines, wines as kind } from '../../lib/tool/imports/wines.ts'
import { searchIndexOf } from '../../shared/catalogue/search/instance-cache.ts'
import { refresh } from '../../shared/catalogue/search/refresh.ts'
import { merchantScope } from '../../shared/catalogue/search/scopes.ts'
import { loadSnapshot } from '../../shared/catalogue/search/snapshot-store.ts'
import { type StoredWine, wineOf } from '../../shared/catalogue/wines/stored.ts'
import type { Winery } from '../../shared/contract/records/winery.ts'
import { indexKey, key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { getItem, query, queryEntries, updateItem } from '../../shared/platform/table/table.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { demoWinesOf } from '../support/demo-wines.ts'
import { eventually } from '../support/eventually.ts'
import { newShop } from '../support/harness.ts'
import { newFolder, tool } from '../support/tool.ts'

const folder = await newFolder()
const rows = demoWinesOf('elbufer').slice(0, 400)
const csvOf = async (some: readonly WineRow[]): Promise<string> => {
  const path = folder.path('csv')
  await writeFile(path, rowsText(path, some, kind.format))
  return path
}
const entriesOf = (merchant: MerchantId) => queryEntries({ pk: partition('wine', { merchant }) })
const winesOf = async (merchant: MerchantId): Promise<StoredWine[]> =>
  (await entriesOf(merchant)).map(({ item }) => wineOf(item))
const counterOf = async (merchant: MerchantId) => (await getItem(key('catalogue', { merchant })))?.version ?? 0

/** Asserts that each article number, path_segment and catalogue version exists once, and as many as rows. */
const expectEachOnce = async (merchant: MerchantId, expected: readonly WineRow[]) => {
  const [entries, wines] = [await entriesOf(merchant), await winesOf(merchant)]
  expect(wines.map(({ articlenumber }) => articlenumber).sort()).toEqual(expected.map(row => row.articlenumber).sort())
  expect(new Set(wines.map(({ path_segment }) => path_segment)).size).toBe(expected.length)
  expect(new Set(entries.map(({ index }) => index)).size).toBe(expected.length)
  expect(entries.every(({ index = '~' }) => index <= indexKey('wine', { version: 10 ** 6 }))).toBe(true)
  const stocks = await query({ pk: partition('stock', { merchant }), prefix: 'wine#' })
  expect(stocks).toHaveLength(expected.filter(({ stock }) => typeof stock === 'number').length)
}

const large = await newShop()
const to = ['--merchant', String(large.id)]

test('an import that is killed in the middle continues there, and a repeat changes nothing', async () => {
  const file = await csvOf(rows)
  const words = ['bin/merchant.ts', 'import', 'wines', file, ...to, '--data-dir', process.env.TEST_TWIN ?? '']
  const child = spawn(process.execPath, words, {
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) if (/^wines: [1-9]/.test(line)) child.kill('SIGKILL')
  // The table may still be at its last write.
  const second = await tool('import', 'wines', file, ...to)
  expect(second).toMatchObject({ code: 0, errors: '' })
  const [, added, left] = /(\d+) wines added, 0 changed, (\d+) unchanged/.exec(second.out)?.map(Number) ?? []
  expect([added, left]).toEqual([rows.length - (left ?? 0), expect.any(Number)])
  expect([added, left]).not.toContain(0)
  await expectEachOnce(large.id, rows)
  expect(await counterOf(large.id)).toBe(rows.length)
  const third = await tool('import', 'wines', file, ...to)
  expect(third.out).toContain(`0 wines added, 0 changed, ${rows.length} unchanged`)
  expect(await counterOf(large.id)).toBe(rows.length)
})

test.each(['csv', 'json'])('an export as %s changes nothing when it is imported again', async ending => {
  const path = folder.path(ending)
  expect((await tool('export', 'wines', path, ...to)).out).toBe(`${rows.length} wines in ${path}\n`)
  const { out } = await tool('import', 'wines', path, ...to, '--plan')
  expect(out).toBe(`0 to add\n0 to change\n${rows.length} unchanged\n0 refused\n`)
  // A shop that has nothing yet becomes the same by it.
  const copy = await newShop()
  const { rows: read, refusals } = readRows(path, 'wines', kind.format)
  expect(refusals).toEqual([])
  const some = read.slice(0, 40)
  await importWines(copy.id, some)
  const again = rowsText(path, kind.exportRows(await kind.read(copy.id)).rows, kind.format)
  await writeFile(path, again)
  expect(readRows(path, 'wines', kind.format).rows).toEqual(some.map(row => expect.objectContaining(row)))
})

test('a plan shows each field of a change, and the position of each refused cell', async () => {
  const [first, second, third] = rows as [WineRow, WineRow, WineRow]
  const changed = {
    ...first,
    description: 'Neu,\nin „zwei“ Zeilen',
    bio: first.bio ? (0 as const) : (1 as const),
    categories: ['Neu', 'Alt'],
    prices: [{ priceRange: 'Gastronomie', gross: '1.00' }],
    stock: null,
  }
  const file = await csvOf([
    changed,
    second,
    { ...third, countrycode: 'de', region: 1, quality: 'nonsense' },
    { ...first, vintage: 2 },
  ])
  const { out, code } = await tool('import', 'wines', file, ...to, '--plan')
  expect(code).toBe(1)
  expect(out).toContain(`1 to change\n  ~ ${first.articlenumber} ${first.name}\n`)
  expect(out).toContain(`    description: ${first.description} → Neu,\nin „zwei“ Zeilen\n`)
  expect(out).toContain(`    bio: ${first.bio} → ${changed.bio}\n`)
  expect(out).toMatch(/ {4}categories: .+ → Neu, Alt\n {4}prices: Gastronomie=.+ → Gastronomie=1\.00\n/)
  expect(out).toContain('1 unchanged\n')
  // The first record has a line break in it, so the second ends in line 4.
  expect(out).toMatch(/ {2}line 5, region: must be .+\n {2}line 5, quality: must be /)
  expect(out).toMatch(/ {2}line 6, vintage: must be 1000\n/)
  const refused = await tool('import', 'wines', file, ...to)
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(await counterOf(large.id)).toBe(rows.length)
})

test('a changed file changes only its wines, in every list that shows them', async () => {
  const shop = await newShop()
  const own = rows.slice(0, 20)
  await importWines(shop.id, own)
  const [before] = await winesOf(shop.id)
  const winery = { name: own[0]?.winery?.name ?? '', www: 'https://example.org/neu' }
  await importWines(shop.id, [{ ...(own[0] as WineRow), name: 'Ganz neu', winery }])
  const wines = await winesOf(shop.id)
  const [wine] = wines
  expect(wine).toMatchObject({ name: 'Ganz neu', path_segment: 'ganz-neu', version: 2, hash: before?.hash })
  expect(wine?.winery).toMatchObject(winery)
  for (const one of wines.filter(other => other.winery_id === wine?.winery_id)) expect(one.winery?.www).toBe(winery.www)
  expect((await shop.call('wines/search', { query: 'ganz neu' })).json.totalCount).toBe(1)
  expect((await shop.call('wines/get', { path_segment: before?.path_segment })).status).toBe(404)
})

test('with --roll-over a row of a later vintage makes the next vintage of its wine', async () => {
  const { id } = await newShop()
  const merchant = ['--merchant', String(id)]
  const own = rows.filter(({ vintage }) => typeof vintage === 'number').slice(0, 3)
  await importWines(id, own)
  const later = own.map(row => ({ ...row, vintage: Number(row.vintage) + 1 }))
  const file = await csvOf(later)
  const [one] = own
  const { out } = await tool('import', 'wines', file, ...merchant, '--roll-over', '--plan')
  expect(out).toContain(
    `0 to change\n3 to roll over\n  > ${one?.articlenumber} ${one?.name}\n    vintage: ${one?.vintage} → ${later[0]?.vintage}\n`,
  )
  const done = await tool('import', 'wines', file, ...merchant, '--roll-over')
  expect([done.code, done.out + done.errors]).toEqual([
    0,
    expect.stringContaining('0 wines added, 0 changed, 3 rolled over, 0 unchanged'),
  ])
  expect(await counterOf(id)).toBe(3 + 6)
  const again = await tool('import', 'wines', file, ...merchant, '--roll-over')
  expect(again.out + again.errors).toContain('0 wines added, 0 changed, 3 unchanged')
  expect(await counterOf(id)).toBe(3 + 6)
})

test('an import completes the change of a winery that an interrupted one left behind', async () => {
  const shop = await newShop()
  const winery = { name: 'Gut Ahorn', www: 'https://example.org' }
  const own = rows.slice(0, 3).map(row => ({ ...row, winery }))
  await importWines(shop.id, own)
  const [{ id }] = (await readCatalogue(shop.id)).wineries as [Winery]
  await updateItem(key('winery', { merchant: shop.id, id }), { set: { www: 'https://example.org/neu' } })
  await importWines(shop.id, [{ ...(own[0] as WineRow), winery: { ...winery, www: 'https://example.org/neu' } }])
  for (const wine of await winesOf(shop.id)) expect(wine.winery?.www).toBe('https://example.org/neu')
})

test('concurrent imports of one file add each wine once, and none of them fails', async () => {
  const shop = await newShop()
  const own = rows.slice(0, 80)
  await Promise.all([1, 2, 3].map(() => importWines(shop.id, own)))
  await expectEachOnce(shop.id, own)
  const state = await readCatalogue(shop.id)
  for (const { length, names } of [state.wineries, state.categories, state.priceRanges].map(records => ({
    length: records.length,
    names: new Set(records.map(({ name }) => name)),
  }))) {
    expect(names.size).toBe(length)
  }
  expect(kind.plan(state, own).unchanged).toBe(own.length)
})

test('an import continues while the merchant edits, however often', async () => {
  const linkOf = (n: number) => `/Images/wine/1/${String(n).padStart(32, '0')}-720x1600.webp`
  const shop = await newShop()
  // The rows say nothing of the pictures: an edit before the import's first read would be a change of its own.
  const own = rows.slice(0, 100).map(({ image, ...row }) => row)
  await importWines(shop.id, own.slice(0, 1))
  const [wine] = await winesOf(shop.id)
  let isOver = false
  let edits = 0
  const importing = importWines(shop.id, own).finally(() => {
    isOver = true
  })
  while (!isOver) {
    const { status } = await shop.call('wines/edit', { id: wine?.id, data: { image: linkOf(++edits) } })
    expect(status).toBe(200)
    await new Promise(done => setTimeout(done, 50))
  }
  await importing
  await expectEachOnce(shop.id, own)
  expect((await winesOf(shop.id))[0]).toMatchObject({ image: linkOf(edits), version: edits + 1 })
  expect(await counterOf(shop.id)).toBe(own.length + edits)
})

test('a file of another shop does not change this one', async () => {
  const [one, other] = [await newShop(), await newShop()]
  const own = rows.slice(0, 5)
  await importWines(one.id, own)
  const before = await winesOf(one.id)
  await importWines(other.id, own)
  expect(await winesOf(one.id)).toEqual(before)
  const all = [...before, ...(await winesOf(other.id))]
  expect(new Set(all.map(({ id }) => id)).size).toBe(10)
  expect(new Set(all.map(({ hash }) => hash)).size).toBe(10)
})

test('the large shop soon has a snapshot, and a new instance reads nothing else', async () => {
  const scope = merchantScope(large.id)
  // A few changes are not worth a new snapshot; they are read from the table.
  // It is written when the table’s stream has been gathered for ten seconds, and the batch before that one is done.
  const loaded = await eventually(
    () => loadSnapshot(scope),
    ({ index }) => index.size > rows.length * 0.9,
    500,
  )
  expect(loaded.index.size).toBeGreaterThan(rows.length * 0.9)
  const seen = loaded.feeds[0]?.high ?? 0
  expect(await refresh(scope, loaded)).toBe((await counterOf(large.id)) - seen)
  expect(loaded.index.size).toBe(rows.length)
  // This process has not searched this shop before: it is a new instance.
  const catalogue = await searchIndexOf(scope)
  const ids = (await winesOf(large.id)).map(({ id }) => id)
  expect(catalogue.search({ order: [{ field: 'id', descending: false }] }).ids).toEqual(ids)
})
