import * as v from 'valibot'
import { drawnWord } from '../../picture-name.ts'
import { grapeIdOf } from '../grapes.ts'
import { regionIdOf } from '../wine-regions.ts'
import { allergenIds, bottlingTypes, caps, isGtin, tasteIds, wineTypes } from '../wine-vocabulary.ts'
import { CountryCode, Flag, filled, Id, idOrName, list, must, optionalLines, Timestamp, Whole } from '../wire.ts'
import { completing, confidential, entriesOf, type Fields, given, givenEntries, namesWith, shown } from './fields.ts'
import * as values from './values.ts'
import {
  decimal,
  FiledRangePrices,
  Image,
  idOf,
  Language,
  listOf,
  OneLine,
  oneOf,
  PathSegment,
  Price,
  TaxRate,
  whole,
} from './values.ts'
import { FiledWinery, PublicWinery, Winery } from './winery.ts'

const Gtin = v.pipe(
  OneLine,
  must<string | null>('gtin', '8, 12, 13 or 14 digits with their check digit', text => text === null || isGtin(text)),
)

const isShortName = (name: string): boolean => name.trim() !== '' && name.length <= 255

const RegionId = idOrName('a wine region', regionIdOf)
// Which names there are depends on the wine's country, which an edit need not say.
const RegionIdOrName = idOrName('a wine region', name => (isShortName(name) ? name : undefined))
const GrapeIds = listOf(idOrName('a grape', grapeIdOf))

const BottlingType = v.nullable(oneOf(bottlingTypes))

const Litres = v.pipe(
  decimal(3, 999),
  must<string>('above_zero', 'above zero', litres => Number(litres) > 0),
)

const RangePrice = v.strictObject({ wine_id: v.number(), ...values.rangePrice })

/** A price for a price range as add and edit take it; its tax rate is the wine's unless it says otherwise. */
const GivenRangePrice = v.strictObject({
  price_range_id: Id,
  gross: v.optional(Price),
  net: v.optional(Price),
  tax: v.optional(Price),
  taxrate: v.optional(TaxRate),
  // Sent back by clients that read a wine, change it and write it whole; they follow from the price range.
  wine_id: v.optional(v.unknown()),
  priceRangeName: v.optional(v.unknown()),
})

/** Another language's record of the same wine. */
const Translation = v.strictObject({ id: v.number(), language: v.string(), name: v.string(), path_segment: v.string() })

const Ids = v.array(v.number())

/**
 * The wine record (interface document 2.5; hash and version are this service's own): one line a field, and everything
 * that is to be said of it. `net` and `tax` follow from `gross` and `taxrate` where they are left out. In files,
 * categories, price ranges and the winery go by name, because ids belong to one merchant only.
 */
export const wineFields = {
  id: { ...shown(v.number()), kind: 'id' },
  articlenumber: { ...given(OneLine), column: filled(), default: null, kind: 'text', search: 'short' },
  name: { ...given(filled()), required: true, kind: 'text', search: 'short' },
  type: { ...given(oneOf(wineTypes)), required: true, kind: 'text', search: 'short', filter: true, example: 'red' },
  countrycode: { ...given(CountryCode), required: true, kind: 'text', search: 'short', filter: true, example: 'at' },
  region: {
    ...shown(Id),
    body: RegionIdOrName,
    column: RegionId,
    required: true,
    kind: 'id',
    filter: true,
    example: 1006,
  },
  vintage: { ...given(v.nullable(whole(1000, 9999))), default: null, kind: 'integer', search: 'short', filter: true },
  place: { ...given(OneLine), default: null, kind: 'text', search: 'short', filter: true },
  quality: { ...given(OneLine), default: null, kind: 'text', search: 'short', filter: true, example: 'cabinet' },
  quality_note: { ...given(OneLine), default: null, kind: 'text', search: 'short' },
  taste_id: { ...given(v.nullable(idOf(tasteIds))), default: null, kind: 'id', filter: true },
  alcohol: { ...given(v.nullable(decimal(1, 100))), default: null, kind: 'decimal' },
  sweetness: { ...given(v.nullable(decimal(1, 9999))), default: null, kind: 'decimal' },
  acid: { ...given(v.nullable(decimal(1, 9999))), default: null, kind: 'decimal' },
  bottlesize: { ...given(Litres), default: '0.750', kind: 'decimal', filter: true },
  drinktemperature: { ...given(OneLine), default: null, kind: 'text' },
  gross: { ...given(Price), default: '0.00', kind: 'decimal' },
  net: { ...given(Price), default: '0.00', kind: 'decimal' },
  tax: { ...given(Price), default: '0.00', kind: 'decimal' },
  taxrate: { ...given(TaxRate), default: 19, kind: 'integer' },
  description: { ...given(optionalLines(10_000)), default: null, kind: 'text', search: 'long' },
  terroir: { ...given(OneLine), default: null, kind: 'text', search: 'short' },
  maturation: { ...given(OneLine), default: null, kind: 'text', search: 'short' },
  bottling_type: { ...given(BottlingType), default: null, kind: 'text', filter: true, example: 'estate' },
  cap: { ...given(v.nullable(oneOf(caps))), default: null, kind: 'text', filter: true, example: 'cork' },
  gtin: { ...given(Gtin), default: null, kind: 'text', search: 'short', example: '4006381333931' },
  cuvee: { ...given(Flag), default: 0, kind: 'flag', filter: true },
  bio: { ...given(Flag), default: 0, kind: 'flag', filter: true },
  vegan: { ...given(Flag), default: 0, kind: 'flag', filter: true },
  active: { ...given(Flag), default: 1, kind: 'flag' },
  public: { ...given(Flag), default: 0, kind: 'flag', filter: true },
  shop: { ...given(Flag), default: 0, kind: 'flag', filter: true },
  winesearch: { ...given(Flag), default: 0, kind: 'flag' },
  internal: { ...confidential(Flag), default: 0, kind: 'flag' },
  network: { ...confidential(Flag), default: 0, kind: 'flag' },
  topseller: { ...given(Flag), default: 0, kind: 'flag', filter: true },
  nostock: { ...given(Flag), default: 0, kind: 'flag' },
  nostocktext: { ...given(OneLine), default: null, kind: 'text' },
  stock: { column: v.nullable(Whole) },
  sorting: { ...given(Whole), default: 0, kind: 'integer' },
  weight: { ...given(Whole), default: 0, kind: 'integer' },
  language: { ...given(Language), default: 'de', kind: 'text', filter: true, example: 'en' },
  allergenIds: { ...given(listOf(idOf(allergenIds))), default: [], kind: 'ids', filter: true },
  grapetypeIds: { ...given(GrapeIds), ...shown(Ids), default: [], kind: 'ids', filter: true },
  origin_id: { ...shown(v.nullable(v.number())), body: v.nullable(Id), default: null, kind: 'id' },
  winery_id: { ...shown(v.nullable(v.number())), body: v.nullable(Id), default: null, kind: 'id', filter: true },
  image: { ...given(Image), ...shown(OneLine), default: null, kind: 'text', example: drawnWord },
  categoryIds: { ...shown(Ids), body: list(Id, 100), default: [], kind: 'ids', filter: true },
  categories: { column: listOf(filled()) },
  prices: { schema: v.array(RangePrice), body: list(GivenRangePrice, 100), column: FiledRangePrices, default: [] },
  winery: { schema: v.nullable(Winery), public: v.nullable(PublicWinery), column: FiledWinery, default: null },
  translations: { ...shown(v.array(Translation)), default: [] },
  path_segment: { ...shown(v.string()), body: PathSegment, kind: 'text', search: 'short', filter: true },
  pdf: { ...shown(v.nullable(v.string())), default: null, kind: 'text' },
  expertisePdf: { ...shown(v.nullable(v.string())), default: null, kind: 'text' },
  customers_id: { ...shown(v.number()), kind: 'id' },
  cruser_id: { schema: v.number(), kind: 'id' },
  crstamp: { ...shown(Timestamp), kind: 'text' },
  chstamp: { ...shown(Timestamp), kind: 'text' },
  hash: { schema: v.string(), kind: 'text' },
  version: { schema: v.number(), default: 1, kind: 'integer' },
} as const satisfies Fields

/** A wine as its merchant sees it; money and decimals are strings, timestamps UTC. */
export const Wine = v.strictObject(entriesOf(wineFields, 'schema'))
export type Wine = v.InferOutput<typeof Wine>
export type WineTranslation = Wine['translations'][number]
export type WinePrice = Wine['prices'][number]

/** A wine as everybody sees it. */
export const PublicWine = v.strictObject(entriesOf(wineFields, 'public'))
export type PublicWine = v.InferOutput<typeof PublicWine>

/** Puts a wine together from what is known of it. */
export const completeWine = completing(wineFields, 'schema')

/** Puts a public wine together; what only the merchant may see is left out. */
export const completePublicWine = completing(wineFields, 'public')

/** The data of wines/add. */
export const NewWine = v.strictObject(givenEntries(wineFields, 'body', namesWith(wineFields, { required: true })))
export type NewWine = v.InferOutput<typeof NewWine>

/** The data of wines/edit: only what changes. `version` guards against lost updates. */
export const WineChange = v.strictObject({ ...givenEntries(wineFields, 'body', []), version: v.optional(Id) })
export type WineChange = v.InferOutput<typeof WineChange>
