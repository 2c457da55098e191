import { randomBytes } from 'node:crypto'
import { givenOnly } from '../imports/objects.ts'
import { rangePricesAt, rangePricesOf, repriced } from '../imports/prices.ts'
import type { ImportRow } from './import-row.ts'
import type { StoredWine, Wine, Winery } from './record.ts'

/** Records that rows call by name, and wines embed. */
export type NamedRecords = {
  wineries: ReadonlyMap<string, Winery>
  /** Ids of categories and of price ranges by their names. */
  categories: ReadonlyMap<string, number>
  priceRanges: ReadonlyMap<string, number>
}

/** What a new wine is given beside its row. */
export type Birth = { id: number; customers_id: number; cruser_id: number; path_segment: string; now: string }

const unset = {
  articlenumber: null,
  taste_id: null,
  vintage: null,
  alcohol: null,
  sweetness: null,
  acid: null,
  bottlesize: '0.750',
  drinktemperature: null,
  gross: '0.00',
  net: '0.00',
  tax: '0.00',
  taxrate: 19,
  place: null,
  description: null,
  image: null,
  pdf: null,
  active: 1,
  cuvee: 0,
  nostock: 0,
  nostocktext: null,
  quality: null,
  quality_note: null,
  bottling_type: null,
  origin_id: null,
  language: 'de',
  winery_id: null,
  weight: 0,
  gtin: null,
  terroir: null,
  maturation: null,
  cap: null,
  bio: 0,
  vegan: 0,
  sorting: 0,
  topseller: 0,
  network: 0,
  internal: 0,
  public: 0,
  shop: 0,
  winesearch: 0,
  expertisePdf: null,
  winery: null,
} as const satisfies Partial<Wine>

/** A wine with nothing set but what the service gives it; name, type, country and region are still to come. */
export const bareWine = ({ now, ...birth }: Birth): Wine => ({
  ...birth,
  name: '',
  type: 'general',
  countrycode: '',
  region: 0,
  ...unset,
  translations: [],
  prices: [],
  categoryIds: [],
  allergenIds: [],
  grapetypeIds: [],
  hash: randomBytes(16).toString('hex'),
  version: 1,
  crstamp: now,
  chstamp: now,
})

const idsOf = (names: readonly string[], ids: ReadonlyMap<string, number>): number[] =>
  names.flatMap(name => ids.get(name) ?? [])

/** A wine with what a row says; what the row leaves out stays as it is. */
export const withRow = (wine: StoredWine, row: ImportRow, named: NamedRecords): StoredWine => {
  const { winery: wanted, categories, prices, stock, gross, net, tax, ...fields } = row
  const price = repriced(wine, row)
  const winery = wanted ? (named.wineries.get(wanted.name) ?? null) : wine.winery
  const ranges = rangePricesAt(price.taxrate, prices ?? rangePricesOf(wine.prices), named.priceRanges)
  return {
    ...wine,
    ...givenOnly(fields),
    ...price,
    winery,
    winery_id: winery?.id ?? null,
    prices: ranges.map(one => ({ wine_id: wine.id, ...one })),
    ...(categories && { categoryIds: idsOf(categories, named.categories) }),
  }
}

/** A new wine from a row. */
export const wineFromRow = (birth: Birth, row: ImportRow, named: NamedRecords): StoredWine =>
  withRow(bareWine(birth), row, named)
