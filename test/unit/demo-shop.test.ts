import { demoClientsOf } from '../../lib/tool/demo/clients.ts'
import { demos } from '../../lib/tool/demo/credentials.ts'
import { demoPackages, demoPriceRanges, demoProductsOf, demoSettingsOf } from '../../lib/tool/demo/shop.ts'
import { clients } from '../../lib/tool/imports/clients.ts'
import { packages, packagesFrom } from '../../lib/tool/imports/packages.ts'
import { products } from '../../lib/tool/imports/products.ts'
import type { Format } from '../../lib/tool/imports/rows.ts'
import { paymentTypes } from '../../shared/contract/vocabulary.ts'
import { pickPackages } from '../../shared/orders/placing/packages.ts'

const read = <Row>(format: Format<Row>, rows: readonly unknown[]) =>
  rows.map((row, n) => format.parseJsonRow(row, n + 1))

test.each(demos)('the records of %s are valid rows that an import takes unchanged', demo => {
  const goods = demoProductsOf(demo)
  expect(read(products.format, goods).map(({ row }) => row)).toEqual(goods)
  const noProducts = { version: 0, products: [], stocks: new Map(), ranges: [], categories: [] }
  expect(products.plan(noProducts, goods)).toMatchObject({ additions: goods, refusals: [] })

  const people = demoClientsOf(demo)
  const rows = read(clients.format, people).flatMap(({ row }) => row ?? [])
  expect(rows).toEqual(people)
  const ranges = demoPriceRanges.map(({ name }, n) => ({ id: n + 1, name }))
  expect(clients.plan({ version: 0, clients: [], ranges, holders: new Map() }, rows)).toMatchObject({
    additions: rows,
    refusals: [],
  })
})

test.each(
  demos,
)('%s sells a parcel of six bottles and something whose stock is not counted, at prices for known ranges', demo => {
  const goods = demoProductsOf(demo)
  expect(goods.some(({ package_quantity }) => package_quantity === 6)).toBe(true)
  expect(goods.some(({ stock }) => stock === null)).toBe(true)
  const named = goods.flatMap(({ prices }) => prices ?? []).map(({ priceRange }) => priceRange)
  for (const name of named) expect(demoPriceRanges).toContainEqual({ name })
})

test('olive oil is sold at 7 %', () => {
  expect(demoProductsOf('elbufer').map(({ taxrate }) => taxrate)).toContain(7)
})

test('the packages hold every number of bottles from 1 on, each exactly one', () => {
  expect(read(packages.format, demoPackages).map(({ row }) => row)).toEqual(demoPackages)
  expect(packages.plan({ version: 0, packages: [], last: 0 }, demoPackages).refusals).toEqual([])
  const { packages: all } = packagesFrom({ packages: [], last: 0 }, demoPackages, 1)
  const idFor = (bottles: number) => pickPackages(all, bottles)?.parcel.id
  expect([1, 3, 4, 6, 7, 12, 13, 18, 19, 9999].map(idFor)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
})

test('the demo merchants take every payment type', () => {
  expect(demoSettingsOf('elbufer').payment_types.toSorted()).toEqual([...paymentTypes].toSorted())
  expect(demoSettingsOf('elbufer')).toMatchObject({ freight_free_from: '150.00', payment_provider: 'sandbox' })
})
