import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { credentialsOf, demos } from '../../lib/tool/demo/credentials.ts'
import { dataFolder, demoClientsOf, demoProductsOf, demoSettingsOf } from '../../lib/tool/demo/records.ts'
import { setUpDemo } from '../../lib/tool/demo/setup.ts'
import { clients } from '../../lib/tool/imports/clients.ts'
import { rowsText } from '../../lib/tool/imports/files.ts'
import { products } from '../../lib/tool/imports/products.ts'
import { wines } from '../../lib/tool/imports/wines.ts'
import { findMerchant } from '../../lib/tool/merchants.ts'
import { checkWines } from '../../shared/catalogue/wines/check.ts'
import { twin } from '../support/harness.ts'
import { nothing } from '../support/record-files.ts'

const merchantOf = (demo: (typeof demos)[number]) => findMerchant(credentialsOf(demo).authid)

beforeAll(async () => {
  // Pictures are stored in the files of the test.
  expect(twin.bucket).not.toBe('')
  await setUpDemo()
})

test.each(demos)('the files of %s are what an export writes after their import', async demo => {
  const account = await merchantOf(demo)
  expect(account).toMatchObject(demoSettingsOf(demo))
  const { rows } = wines.exportRows(await wines.read(account.id))
  const file = gunzipSync(readFileSync(join(dataFolder, demo, 'wines.json.gz'))).toString()
  expect(rowsText('wines.json', rows, wines.format) === file).toBe(true)
  const [people, goods] = [demoClientsOf(demo), demoProductsOf(demo)]
  expect(clients.plan(await clients.read(account.id), people)).toEqual(nothing(people.length))
  expect(products.plan(await products.read(account.id), goods)).toEqual(nothing(goods.length))
})

test('each demo wine that everyone sees in the shop has an English translation, which the shop does not list', async () => {
  const { wines: all } = await wines.read((await merchantOf('elbufer')).id)
  const translations = all.filter(({ origin_id }) => origin_id !== null)
  const sold = all.filter(({ active, public: shown, shop }) => active && shown && shop)
  expect([all.length, translations.length]).toEqual([1727, 720])
  expect(translations.map(({ origin_id }) => origin_id).toSorted()).toEqual(sold.map(({ id }) => id).toSorted())
  for (const { language, description } of translations) {
    expect(language).toBe('en')
    expect(description).toMatch(/ made from /)
  }
})

// The made-up facts of the cellar show each kind of gap.
test('half of the demo cellar lacks nothing, and the other half lacks various things', async () => {
  const { id } = await merchantOf('elbufer')
  const originals = new Set((await wines.read(id)).wines.flatMap(wine => (wine.origin_id === null ? [wine.id] : [])))
  const pages = await Promise.all(
    Array.from({ length: 17 }, (_, n) => checkWines(id, { page: n + 1, pageSize: 100 }, 'en')),
  )
  const checked = pages.flatMap(({ data }) => data).filter(wine => originals.has(wine.id))
  const words = checked.flatMap(({ missing }) => missing.map(({ word }) => word))
  const counts = Object.fromEntries([...Map.groupBy(words, word => word)].map(([word, all]) => [word, all.length]))
  const complete = checked.filter(({ missing }) => missing.length === 0).length
  expect([checked.length, complete]).toEqual([960, 541])
  expect(counts).toEqual({
    allergens: 36,
    bottler: 40,
    importer: 99,
    ingredients: 86,
    ingredient_name: 74,
    nutrition: 270,
  })
})
