import * as v from 'valibot'
import { CountryCode, Flag, filled, Id, must, optionalLines, Whole } from '../contract/wire.ts'
import {
  decimal,
  type FieldSchema,
  idOf,
  Language,
  listOf,
  OneLine,
  oneOf,
  Price,
  RangePrices,
  whole,
} from '../imports/values.ts'
import type { ImportRow, ImportWinery } from './import-row.ts'
import { allergenIds, bottlingTypes, caps, isGtin, tasteIds, wineTypes } from './values.ts'

const itself = (item: unknown) => item
const Gtin = v.pipe(
  OneLine,
  must<string | null>('gtin', '8, 12, 13 or 14 digits with their check digit', text => text === null || isGtin(text)),
)

/** The schema of every key of an import row but the winery; each reads texts and JSON values into the wire form. */
export const fields: {
  [Key in Exclude<keyof ImportRow, 'winery'>]-?: FieldSchema<Exclude<ImportRow[Key], undefined>>
} = {
  articlenumber: filled(),
  name: filled(),
  type: oneOf(wineTypes),
  countrycode: CountryCode,
  region: Id,
  vintage: v.nullable(whole(1000, 9999)),
  place: OneLine,
  quality: OneLine,
  quality_note: OneLine,
  taste_id: v.nullable(idOf(tasteIds)),
  alcohol: v.nullable(decimal(1, 100)),
  sweetness: v.nullable(decimal(1, 9999)),
  acid: v.nullable(decimal(1, 9999)),
  bottlesize: v.pipe(
    decimal(3, 999),
    must<string>('above_zero', 'above zero', litres => Number(litres) > 0),
  ),
  drinktemperature: OneLine,
  gross: Price,
  net: Price,
  tax: Price,
  taxrate: whole(0, 100),
  description: optionalLines(10_000),
  terroir: OneLine,
  maturation: OneLine,
  bottling_type: v.nullable(oneOf(bottlingTypes)),
  cap: v.nullable(oneOf(caps)),
  gtin: Gtin,
  cuvee: Flag,
  bio: Flag,
  vegan: Flag,
  active: Flag,
  public: Flag,
  shop: Flag,
  winesearch: Flag,
  internal: Flag,
  network: Flag,
  topseller: Flag,
  nostock: Flag,
  nostocktext: OneLine,
  stock: v.nullable(Whole),
  sorting: Whole,
  weight: Whole,
  language: Language,
  allergenIds: listOf(idOf(allergenIds), itself),
  grapetypeIds: listOf(Id, itself),
  categories: listOf(filled(), itself),
  prices: RangePrices,
}

/** The schema of every key of an imported winery. */
export const wineryFields: { [Key in keyof ImportWinery]-?: FieldSchema<Exclude<ImportWinery[Key], undefined>> } = {
  name: filled(),
  company: OneLine,
  taxid: OneLine,
  address: OneLine,
  zip: OneLine,
  city: OneLine,
  region: v.nullable(Id),
  countrycode: v.nullable(CountryCode),
  mail: OneLine,
  phone: OneLine,
  fax: OneLine,
  www: OneLine,
  freetext: optionalLines(10_000),
  vineyard: OneLine,
  harvest: OneLine,
  bestplaces: OneLine,
  memberof: OneLine,
}
