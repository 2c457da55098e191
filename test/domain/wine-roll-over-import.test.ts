import { fileKinds } from '../../lib/tool/imports/kinds.ts'
import { planLines } from '../../lib/tool/imports/plan.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines, winesRolledOver } from '../../lib/tool/imports/wines.ts'
import { type StoredWine, wineOf } from '../../shared/catalogue/wines/stored.ts'
import { key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { getItem, query } from '../../shared/platform/table/table.ts'
import { failing, isTransaction } from '../support/failing-table.ts'
import { newShop } from '../support/harness.ts'
import { newFolder } from '../support/tool.ts'
import { facts as whole } from '../support/wine-facts.ts'

const folder = await newFolder()
const [kind] = fileKinds

const row = (n: number, more: Partial<WineRow> = {}): WineRow => ({
  articlenumber: `A-${n}`,
  name: `Wein ${n}`,
  type: 'white',
  countrycode: 'de',
  region: 1005,
  vintage: 2023,
  alcohol: '12.5',
  place: `Lage ${n}`,
  winery: { name: 'Gut Sonne', www: 'https://example.org' },
  ...more,
})

const winesOf = async (merchant: MerchantId): Promise<StoredWine[]> =>
  (await query({ pk: partition('wine', { merchant }) })).map(wineOf)

const versionOf = async (merchant: MerchantId) => (await getItem(key('catalogue', { merchant })))?.version

const stockOf = async (merchant: MerchantId, id: number) =>
  (await getItem(key('stock', { merchant, type: 'wine', id })))?.quantity

const rollOver = (merchant: MerchantId, rows: readonly WineRow[]) => importRecords(merchant, winesRolledOver, rows)

/** A shop with some wines of 2023, and its wines by article number. */
const newCellar = async (count: number) => {
  const { id, ...shop } = await newShop()
  await importWines(
    id,
    Array.from({ length: count }, (_, n) => row(n, { stock: 5 })),
  )
  const wine = async (articlenumber: string): Promise<StoredWine> => {
    const found = (await winesOf(id)).filter(one => one.articlenumber === articlenumber)
    expect([articlenumber, found.length]).toEqual([articlenumber, 1])
    return found[0] as StoredWine
  }
  return { ...shop, id, wine }
}

test('a row of a later vintage makes the next wine, others add and change wines, and a repeat changes nothing', async () => {
  const { id, wine } = await newCellar(3)
  const former = await wine('A-0')
  const rows = [
    row(0, {
      vintage: 2024,
      alcohol: null,
      place: 'Neue Lage',
      stock: 12,
      prices: [{ priceRange: 'Gast', gross: '7.00' }],
    }),
    row(1, { place: 'Andere Lage' }),
    row(2, { vintage: 2022 }),
    row(3),
  ]
  await rollOver(id, rows)
  const [next, old] = [await wine('A-0'), await wine('A-0-2023')]
  expect(old).toMatchObject({
    id: former.id,
    hash: former.hash,
    place: 'Lage 0',
    alcohol: '12.5',
    successor_id: next.id,
  })
  expect(old).toMatchObject({ path_segment: 'wein-0-2023', version: 2, vintage: 2023 })
  expect(next).toMatchObject({ predecessor_id: former.id, path_segment: 'wein-0', vintage: 2024, place: 'Neue Lage' })
  expect(next).toMatchObject({ alcohol: null, nostock: 0, prices: [{ wine_id: next.id, gross: '7.00' }] })
  expect(next.winery).toEqual(former.winery)
  expect([await stockOf(id, next.id), await stockOf(id, old.id)]).toEqual([12, 5])
  expect(await wine('A-1')).toMatchObject({ place: 'Andere Lage', successor_id: null })
  expect(await wine('A-2')).toMatchObject({ vintage: 2022, successor_id: null })
  expect(await winesOf(id)).toHaveLength(5)
  const version = await versionOf(id)
  await rollOver(id, rows)
  expect(await versionOf(id)).toBe(version)
})

test('without a count of pieces the next vintage is sold out, unless the row says otherwise', async () => {
  const { id, wine } = await newCellar(3)
  const later = { vintage: 2024 }
  await rollOver(id, [row(0, later), row(1, { ...later, nostock: 0 }), row(2, { ...later, stock: 6, nostock: 1 })])
  expect([await wine('A-0'), await wine('A-1'), await wine('A-2')].map(({ nostock }) => nostock)).toEqual([1, 0, 1])
  expect(await stockOf(id, (await wine('A-0')).id)).toBeUndefined()
})

test('a row of a later vintage makes the next vintage of a wine whose label is published, which stays', async () => {
  const { id, wine, call } = await newCellar(1)
  const facts = { ...whole, published: 1 }
  const former = await wine('A-0')
  const labelled = { id: former.id, data: { facts, sweetness: '3.0', acid: '6.0' } }
  expect((await call('wines/edit', labelled)).status).toBe(200)
  await rollOver(id, [row(0, { vintage: 2024, alcohol: '13.0' })])
  expect(await wine('A-0')).toMatchObject({ vintage: 2024, alcohol: '13.0' })
  expect((await wine('A-0')).label).toBeUndefined()
  expect(await wine('A-0-2023')).toMatchObject({ hash: former.hash, label: 'published', alcohol: '12.5' })
})

test('without the option a row of a later vintage changes its wine', async () => {
  const { id, wine } = await newCellar(1)
  await importWines(id, [row(0, { vintage: 2024 })])
  expect(await wine('A-0')).toMatchObject({ vintage: 2024, version: 2, successor_id: null })
})

test('a later vintage of a wine that has its next vintage under another number is refused', async () => {
  const { id, wine, call } = await newCellar(1)
  const former = await wine('A-0')
  const data = { articlenumber: 'B-0' }
  expect((await call('wines/rollOver', { id: former.id, vintage: 2024, data })).status).toBe(200)
  await expect(rollOver(id, [row(0, { vintage: 2024 })])).rejects.toThrow(/line 1, vintage: must be that of the wine/)
  expect(await winesOf(id)).toHaveLength(2)
})

test('a new winery of a file is in both vintages', async () => {
  const { id, wine } = await newCellar(2)
  const winery = { name: 'Gut Sonne', www: 'https://example.org/neu' }
  await rollOver(id, [row(0, { vintage: 2024, winery: undefined }), row(1, { winery })])
  for (const number of ['A-0', 'A-0-2023', 'A-1']) expect((await wine(number)).winery).toMatchObject(winery)
})

test('a whole list is rolled over in transactions of both vintages; one that is stopped continues there', async () => {
  const { id, wine } = await newCellar(60)
  const rows = Array.from({ length: 60 }, (_, n) => row(n, { vintage: 2024 }))
  let transactions = 0
  const fails = (command: string) => (isTransaction(command) && ++transactions > 1 ? 'before' : undefined)
  await expect(failing(fails, () => rollOver(id, rows))).rejects.toThrow()
  const wines = await winesOf(id)
  const made = wines.filter(({ predecessor_id }) => predecessor_id !== null)
  expect(made.length).toBeGreaterThan(5)
  expect(made.length).toBeLessThan(60)
  expect(wines.filter(({ successor_id }) => successor_id !== null)).toHaveLength(made.length)
  await rollOver(id, rows)
  expect(await winesOf(id)).toHaveLength(120)
  expect(new Set((await winesOf(id)).map(({ path_segment }) => path_segment)).size).toBe(120)
  expect((await wine('A-7')).predecessor_id).toBe((await wine('A-7-2023')).id)
})

test('concurrent imports of one list, and requests, make each next vintage once', async () => {
  const { id, call, wine } = await newCellar(8)
  const rows = Array.from({ length: 8 }, (_, n) => row(n, { vintage: 2024 }))
  const former = await wine('A-3')
  await Promise.all([
    ...[1, 2, 3].map(() => rollOver(id, rows)),
    call('wines/rollOver', { id: former.id, vintage: 2024 }),
  ])
  expect(await winesOf(id)).toHaveLength(16)
  expect((await wine('A-3-2023')).successor_id).toBe((await wine('A-3')).id)
})

test('the plan lists what is rolled over, with the fields in which the next vintage differs', async () => {
  const { id } = await newCellar(1)
  const columns = 'articlenumber,name,type,countrycode,region,vintage,alcohol,stock'
  const file = await folder.lines(columns, 'A-0,Wein 0,white,de,1005,2024,13.0,24')
  const planned = await kind?.prepare(id, file, { rollOver: true })
  expect(planned && planLines(planned.view)).toEqual([
    ...['0 to add', '0 to change', '1 to roll over', '  > A-0 Wein 0'],
    ...['    vintage: 2023 → 2024', '    alcohol: nothing → 13.0', '    stock: nothing → 24'],
    ...['0 unchanged', '0 refused'],
  ])
  await planned?.apply(() => {})
  const repeated = await kind?.prepare(id, file, { rollOver: true })
  expect(repeated && planLines(repeated.view)).toEqual(['0 to add', '0 to change', '1 unchanged', '0 refused'])
})
