import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type CategoryRow, categories } from '../imports/categories.ts'
import { type ClientRow, clients } from '../imports/clients.ts'
import { readRows } from '../imports/files.ts'
import { type PackageRow, packages } from '../imports/packages.ts'
import { type PriceRangeRow, priceRanges } from '../imports/price-ranges.ts'
import { type ProductRow, products } from '../imports/products.ts'
import type { Kind } from '../imports/run.ts'
import type { WineRow } from '../imports/wine-catalogue.ts'
import { wines } from '../imports/wines.ts'
import { parseSettings, type Settings } from '../settings.ts'
import type { DemoMerchant } from './credentials.ts'

/** The folder of the demo's data: import files, settings and pictures. */
export const dataFolder = join(import.meta.dirname, 'data')

const rowsIn = <Row extends object, Found, State>(kind: Kind<Row, Found, State>, ...path: string[]): readonly Row[] =>
  readRows(join(dataFolder, ...path), kind.name, kind.format).rows

/** The demo clients of a merchant. Mails are under example.org, phone numbers from ranges reserved for fiction. */
export const demoClientsOf = (merchant: DemoMerchant): readonly ClientRow[] => rowsIn(clients, merchant, 'clients.csv')

/** The demo products of a merchant. */
export const demoProductsOf = (merchant: DemoMerchant): readonly ProductRow[] =>
  rowsIn(products, merchant, 'products.csv')

/** The demo wines of a merchant; those of Weinkontor Elbufer are followed by their English translations. */
export const demoWinesOf = (merchant: DemoMerchant): readonly WineRow[] => {
  const file = join(dataFolder, merchant, 'wines.json')
  return readRows(file, wines.name, wines.format, gunzipSync(readFileSync(`${file}.gz`))).rows
}

/** The categories of the demo cellar. */
export const demoCategories = (): readonly CategoryRow[] => rowsIn(categories, 'categories.csv')

/** The packaging prices of the demo merchants. */
export const demoPackages = (): readonly PackageRow[] => rowsIn(packages, 'packages.csv')

/** The price ranges that demo wines, products and clients name. */
export const demoPriceRanges = (): readonly PriceRangeRow[] => rowsIn(priceRanges, 'price-ranges.csv')

/** The settings of a demo merchant; companies and numbers are made up, the IBAN is the example of its standard. */
export const demoSettingsOf = (merchant: DemoMerchant): Settings =>
  parseSettings(JSON.parse(readFileSync(join(dataFolder, merchant, 'settings.json'), 'utf8')))
