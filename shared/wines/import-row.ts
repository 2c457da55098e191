import type { RangePrice } from '../imports/values.ts'
import type { Wine, Winery } from './record.ts'

export type { RowProblem } from '../imports/parse.ts'

/** The wine fields an import must give. */
export type RequiredField = 'name' | 'type' | 'countrycode' | 'region'

/** The wine fields an import may give; `net` and `tax` follow from `gross` and `taxrate` where they are left out. */
export type OptionalField =
  | 'taste_id'
  | 'vintage'
  | 'alcohol'
  | 'sweetness'
  | 'acid'
  | 'bottlesize'
  | 'drinktemperature'
  | 'gross'
  | 'net'
  | 'tax'
  | 'taxrate'
  | 'place'
  | 'description'
  | 'active'
  | 'cuvee'
  | 'nostock'
  | 'nostocktext'
  | 'quality'
  | 'quality_note'
  | 'bottling_type'
  | 'language'
  | 'weight'
  | 'gtin'
  | 'terroir'
  | 'maturation'
  | 'cap'
  | 'bio'
  | 'vegan'
  | 'sorting'
  | 'topseller'
  | 'network'
  | 'internal'
  | 'public'
  | 'shop'
  | 'winesearch'
  | 'allergenIds'
  | 'grapetypeIds'

/** The winery fields an import may give beside the name. */
export type WineryField =
  | 'company'
  | 'taxid'
  | 'address'
  | 'zip'
  | 'city'
  | 'region'
  | 'countrycode'
  | 'mail'
  | 'phone'
  | 'fax'
  | 'www'
  | 'freetext'
  | 'vineyard'
  | 'harvest'
  | 'bestplaces'
  | 'memberof'

/** The winery of an imported wine, known by its name. */
export type ImportWinery = { name: string } & Partial<Pick<Winery, WineryField>>

/** A price for a price range, known by its name; it is taxed like the wine. */
export type ImportPrice = RangePrice

/**
 * One wine as an import gives it, keyed by its article number, in the forms of the wire. A key that is missing leaves
 * the wine's value alone; null clears it. Categories, price ranges and the winery go by name, because ids belong to
 * one catalogue only; `stock` null means not counted.
 */
export type ImportRow = { articlenumber: string } & Pick<Wine, RequiredField> &
  Partial<Pick<Wine, OptionalField>> & {
    winery?: ImportWinery
    categories?: string[]
    prices?: ImportPrice[]
    stock?: number | null
  }
