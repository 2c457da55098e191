import { demoClientsOf } from '../../lib/tool/demo/clients.ts'
import { demos } from '../../lib/tool/demo/credentials.ts'
import { demoPackages, demoPriceRanges, demoProductsOf, demoSettings } from '../../lib/tool/demo/shop.ts'
import { clientFormat, planClients } from '../../shared/clients/import.ts'
import type { Format } from '../../shared/imports/format.ts'
import { pickPackage } from '../../shared/orders/placing/packages.ts'
import { paymentTypes } from '../../shared/orders/states.ts'
import { packageFormat, packagesFrom, planPackages } from '../../shared/packages/import.ts'
import { planProducts, productFormat } from '../../shared/products/import.ts'

const read = <Row>(format: Format<Row>, rows: readonly unknown[]) =>
  rows.map((row, n) => format.parseJsonRow(row, n + 1))

test.each(demos)('the records of %s are valid rows that an import takes unchanged', demo => {
  const products = demoProductsOf(demo)
  expect(read(productFormat, products).map(({ row }) => row)).toEqual(products)
  expect(planProducts([], products, new Map())).toMatchObject({ additions: products, refusals: [] })

  const clients = demoClientsOf(demo).map(({ priceRange, ...client }) => ({ ...client, price_range: priceRange }))
  const rows = read(clientFormat, clients).flatMap(({ row }) => row ?? [])
  expect(rows).toEqual(clients)
  const ranges = new Map(demoPriceRanges.map(({ name }, n) => [n + 1, name]))
  expect(planClients([], rows, ranges)).toMatchObject({ additions: rows, refusals: [] })
})

test.each(
  demos,
)('%s sells a parcel of six bottles and something whose stock is not counted, at prices for known ranges', demo => {
  const products = demoProductsOf(demo)
  expect(products.some(({ package_quantity }) => package_quantity === 6)).toBe(true)
  expect(products.some(({ stock }) => stock === null)).toBe(true)
  const named = products.flatMap(({ prices }) => prices ?? []).map(({ priceRange }) => priceRange)
  for (const name of named) expect(demoPriceRanges).toContainEqual({ name })
})

test('olive oil is sold at 7 %', () => {
  expect(demoProductsOf('elbufer').map(({ taxrate }) => taxrate)).toContain(7)
})

test('the packages hold every number of bottles from 1 on, each exactly one', () => {
  expect(read(packageFormat, demoPackages).map(({ row }) => row)).toEqual(demoPackages)
  expect(planPackages([], demoPackages).refusals).toEqual([])
  const { packages } = packagesFrom({ packages: [], last: 0 }, demoPackages, 1)
  const idFor = (bottles: number) => pickPackage(packages, bottles)?.id
  expect([1, 3, 4, 6, 7, 12, 13, 18, 19, 9999].map(idFor)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
})

test('the demo merchants take every payment type', () => {
  expect(demoSettings.payment_types.toSorted()).toEqual([...paymentTypes].toSorted())
  expect(demoSettings).toMatchObject({ freight_free_from: '150.00', payment_provider: 'sandbox' })
})
