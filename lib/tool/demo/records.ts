import { join } from 'node:path'
import { type CategoryRow, categories } from '../imports/categories.ts'
import { type ClientRow, clients } from '../imports/clients.ts'
import { readRows } from '../imports/files.ts'
import { type PackageRow, packages } from '../imports/packages.ts'
import type { PriceRangeRow } from '../imports/price-ranges.ts'
import { type ProductRow, products } from '../imports/products.ts'
import type { Kind } from '../imports/run.ts'
import type { DemoMerchant } from './credentials.ts'

/** The folder of the demo's data: the wines, and import files of all other records. */
export const dataFolder = join(import.meta.dirname, 'data')

const rowsIn = <Row extends object, Found, State>(kind: Kind<Row, Found, State>, ...path: string[]): readonly Row[] =>
  readRows(join(dataFolder, ...path), kind.name, kind.format).rows

/** The demo clients of a merchant. Mails are under example.org, phone numbers from ranges reserved for fiction. */
export const demoClientsOf = (merchant: DemoMerchant): readonly ClientRow[] => rowsIn(clients, merchant, 'clients.csv')

/** The demo products of a merchant. */
export const demoProductsOf = (merchant: DemoMerchant): readonly ProductRow[] =>
  rowsIn(products, merchant, 'products.csv')

/** The categories of the demo cellar. */
export const demoCategories = (): readonly CategoryRow[] => rowsIn(categories, 'categories.csv')

/** The packaging prices of the demo merchants. */
export const demoPackages = (): readonly PackageRow[] => rowsIn(packages, 'packages.csv')

/** The price ranges that demo wines, products and clients name. */
export const demoPriceRanges: readonly PriceRangeRow[] = [{ name: 'Gastronomie' }, { name: 'Großhandel' }]
