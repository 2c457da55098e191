import { demoWinesOf } from '../../lib/tool/demo/cellar.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { checkWines } from '../../shared/catalogue/wines/check.ts'
import { newShop } from '../support/harness.ts'

// The demo's cellar, with its facts made up, shows each kind of gap; an eighth of it does already.

const shop = await newShop('Demo')
await importWines(
  shop.id,
  demoWinesOf('elbufer').filter((_, n) => n % 8 === 0),
)

test('half of the demo cellar lacks nothing, and the other half lacks various things', async () => {
  const pages = await Promise.all([1, 2].map(page => checkWines(shop.id, { page, pageSize: 100 }, 'en')))
  const wines = pages.flatMap(({ data }) => data)
  const words = new Set(wines.flatMap(({ missing }) => missing.map(({ word }) => word)))
  const complete = wines.filter(({ missing }) => missing.length === 0).length
  expect(wines.length).toBe(pages[0]?.totalCount)
  expect(complete / wines.length).toBeCloseTo(0.56, 1)
  const gaps = ['allergens', 'bottler', 'importer', 'ingredients', 'ingredient_name', 'nutrition']
  expect([...words].toSorted()).toEqual(gaps.toSorted())
})
