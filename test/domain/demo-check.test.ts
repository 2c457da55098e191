import { demoWinesOf } from '../../lib/tool/demo/cellar.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { checkWines } from '../../shared/catalogue/wines/check.ts'
import { newShop } from '../support/harness.ts'

// The demo's cellar, with its facts made up, shows each kind of gap: the list is the same after every start.

const shop = await newShop('Demo')
await importWines(shop.id, demoWinesOf('elbufer'))

test('half of the demo cellar lacks nothing, and the other half lacks various things', async () => {
  const pages = await Promise.all(
    Array.from({ length: 10 }, (_, n) => checkWines(shop.id, { page: n + 1, pageSize: 100 }, 'en')),
  )
  const wines = pages.flatMap(({ data }) => data)
  const words = wines.flatMap(({ missing }) => missing.map(({ word }) => word))
  const counts = Object.fromEntries([...Map.groupBy(words, word => word)].map(([word, all]) => [word, all.length]))
  const complete = wines.filter(({ missing }) => missing.length === 0).length
  expect([wines.length, pages[0]?.totalCount, complete]).toEqual([960, 960, 541])
  expect(counts).toEqual({
    allergens: 36,
    bottler: 40,
    importer: 99,
    ingredients: 86,
    ingredient_name: 74,
    nutrition: 270,
  })
})
