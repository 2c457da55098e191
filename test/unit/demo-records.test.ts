import { demos } from '../../lib/tool/demo/credentials.ts'
import {
  demoCategories,
  demoClientsOf,
  demoPackages,
  demoPriceRanges,
  demoProductsOf,
} from '../../lib/tool/demo/records.ts'
import { demoSettingsOf } from '../../lib/tool/demo/settings.ts'
import { categories } from '../../lib/tool/imports/categories.ts'
import { clients } from '../../lib/tool/imports/clients.ts'
import { packages, packagesFrom } from '../../lib/tool/imports/packages.ts'
import { products } from '../../lib/tool/imports/products.ts'
import { paymentTypes } from '../../shared/contract/vocabulary.ts'
import { choosePackages } from '../../shared/orders/shipping/choice.ts'

const ranges = demoPriceRanges.map(({ name }, n) => ({ id: n + 1, name }))
const noProducts = {
  version: 0,
  products: [],
  stocks: new Map(),
  rangesVersion: 0,
  priceRanges: ranges,
  categories: [],
}
const noClients = { version: 0, clients: [], ranges, holders: new Map() }

describe.each(demos)('the records of %s', demo => {
  const [goods, people] = [demoProductsOf(demo), demoClientsOf(demo)]

  test('are additions to an empty shop, without a refusal', () => {
    expect(products.plan(noProducts, goods)).toMatchObject({ additions: goods, refusals: [] })
    expect(clients.plan(noClients, people)).toMatchObject({ additions: people, refusals: [] })
    expect([goods.length, people.length]).toEqual(demo === 'elbufer' ? [4, 6] : [3, 5])
  })

  test('contain a chosen of six bottles, a stock that is not counted, and prices for known ranges only', () => {
    expect(goods.map(({ package_quantity }) => package_quantity)).toContain(6)
    expect(goods.map(({ stock }) => stock)).toContain(null)
    for (const { prices = [] } of goods)
      for (const { priceRange } of prices) expect(demoPriceRanges).toContainEqual({ name: priceRange })
  })

  test('have the minimum age of wine where they contain bottles of it', () => {
    expect(goods.filter(({ package_quantity: bottles }) => bottles === 6).map(({ min_age }) => min_age)).toEqual([16])
  })

  test('contain clients with every kind of terms', () => {
    for (const terms of [
      { type: 'gastronomy', price_range: 'Gastronomie' },
      { type: 'export', tax_free: 1 },
      { cashback: 2, cashback_period: 10 },
    ])
      expect(people).toContainEqual(expect.objectContaining(terms))
  })
})

test('olive oil has the tax rate 7 %', () => {
  expect(demoProductsOf('elbufer').map(({ taxrate }) => taxrate)).toContain(7)
})

test('every number of bottles from 1 on is in the range of exactly one package', () => {
  expect(packages.plan({ version: 0, packages: [], last: 0 }, demoPackages()).refusals).toEqual([])
  const { packages: all } = packagesFrom({ packages: [], last: 0 }, demoPackages(), 1)
  const idFor = (bottles: number) => choosePackages(all, bottles)?.chosen.id
  expect([1, 3, 4, 6, 7, 12, 13, 18, 19, 9999].map(idFor)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
})

test('the demo has 11 categories', () => {
  const plan = categories.plan({ version: 0, categories: [] }, demoCategories())
  expect([plan.additions.length, plan.refusals]).toEqual([11, []])
})

test('the demo merchants accept every payment type', () => {
  const settings = demoSettingsOf('elbufer')
  expect(settings.payment_types?.toSorted()).toEqual([...paymentTypes].toSorted())
  expect(settings).toMatchObject({ freight_free_from: '150.00', payment_provider: 'sandbox' })
})
