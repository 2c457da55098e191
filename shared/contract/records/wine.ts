import * as v from 'valibot'
import { drawnWord } from '../../values/picture-name.ts'
import {
  allergenIds,
  bottlingTypes,
  caps,
  grapeIdOf,
  isGtin,
  regionIdOf,
  tasteIds,
  wineTypes,
} from '../labels/labels.ts'
import * as values from '../schema/fields.ts'
import {
  boundedWhole,
  common,
  confidential,
  createCompletion,
  decimal,
  entriesOf,
  type FieldTable,
  FiledRangePrices,
  given,
  givenEntries,
  Image,
  Language,
  namesWith,
  OneLine,
  oneOfIds,
  oneOfWords,
  PathSegment,
  Price,
  PriceOrNone,
  shown,
  TaxRate,
  uniqueList,
} from '../schema/fields.ts'
import {
  CountryCode,
  described,
  Flag,
  filled,
  Id,
  idOrName,
  list,
  must,
  optionalLines,
  recordVersion,
  Timestamp,
  Whole,
} from '../schema/wire.ts'
import { FiledWinery, PublicWinery, Winery, wineryFields } from './winery.ts'

const Gtin = v.pipe(
  OneLine,
  must<string | null>(
    'gtin',
    'a GTIN of 8, 12, 13 or 14 digits with a valid check digit',
    text => text === null || isGtin(text),
  ),
)

const isShortName = (name: string): boolean => name.trim() !== '' && name.length <= 255

const RegionId = idOrName('a wine region', regionIdOf)
// The valid names depend on the wine's country, which an edit may omit.
const RegionIdOrName = idOrName('a wine region', name => (isShortName(name) ? name : undefined))
const GrapeIds = uniqueList(idOrName('a grape', grapeIdOf))

const BottlingType = v.nullable(oneOfWords(bottlingTypes))

const Litres = v.pipe(
  decimal(3, 999),
  must<string>('above_zero', 'greater than 0', litres => Number(litres) > 0),
)

const RangePrice = v.strictObject({
  wine_id: described(v.number(), 'Id of the wine.'),
  ...values.rangePrice,
})

const GivenRangePrice = v.strictObject({ ...values.givenRangePrice('wine'), wine_id: values.asRead })

/** Another language's record of the same wine. */
const Translation = v.strictObject({
  id: described(v.number(), 'Id of the translation.'),
  language: described(v.string(), 'Language of its texts, as two letters.'),
  name: described(v.string(), 'Name of the wine in that language.'),
  path_segment: described(v.string(), 'Its name in URLs.'),
})

const Ids = v.array(v.number())

/**
 * The wine record (hash and version are not of the original interface) with the definition of each field.
 * Missing `net` and `tax` follow from `gross` and `taxrate`. Files refer to categories, price ranges and the winery by name,
 * because ids belong to one merchant only.
 */
export const wineFields = {
  id: {
    ...shown(v.number()),
    column: Id,
    kind: 'id',
    description: 'Id of the wine, unique among all merchants.',
    inFiles: 'A row without an article number finds its wine by it; an import elsewhere keeps it for files.',
    example: 1204,
  },
  articlenumber: {
    ...given(OneLine),
    default: null,
    kind: 'text',
    search: 'short',
    description: "The merchant's own article number.",
    inFiles: 'A row finds its wine by it.',
    example: '2021-017',
  },
  name: {
    ...given(filled()),
    required: true,
    kind: 'text',
    search: 'short',
    description: 'Name of the wine.',
    example: 'Riesling Kalkstein',
  },
  type: {
    ...given(oneOfWords(wineTypes)),
    required: true,
    kind: 'text',
    search: 'short',
    filter: true,
    example: 'red',
    description: 'Type of the wine; `/localization/{language}/winetypes` has the names.',
  },
  countrycode: {
    ...given(CountryCode),
    required: true,
    kind: 'text',
    search: 'short',
    filter: true,
    example: 'at',
    description: 'Country of origin, as two letters (ISO 3166).',
  },
  region: {
    ...shown(Id),
    body: RegionIdOrName,
    column: RegionId,
    required: true,
    kind: 'id',
    filter: true,
    example: 1006,
    description: 'Wine region of the country, by its id or, in requests and files, by its name.',
  },
  vintage: {
    ...given(v.nullable(boundedWhole(1000, 9999))),
    default: null,
    kind: 'integer',
    search: 'short',
    filter: true,
    description: 'Year of the harvest.',
    example: 2021,
  },
  place: {
    ...given(OneLine),
    default: null,
    kind: 'text',
    search: 'short',
    filter: true,
    description: 'Village or vineyard site.',
    example: 'Forster Ungeheuer',
  },
  quality: {
    ...given(OneLine),
    default: null,
    kind: 'text',
    search: 'short',
    filter: true,
    example: 'cabinet',
    description: 'Quality level; a key of `qualitytypes` where the labels have the country, else free text.',
  },
  quality_note: {
    ...given(OneLine),
    default: null,
    kind: 'text',
    search: 'short',
    description: 'Addition to the quality level.',
    example: 'Großes Gewächs',
  },
  taste_id: {
    ...given(v.nullable(oneOfIds(tasteIds))),
    default: null,
    kind: 'id',
    filter: true,
    description: 'Taste by its id in the labels, such as 1 for dry.',
    example: 1,
  },
  alcohol: {
    ...given(v.nullable(decimal(1, 100))),
    default: null,
    kind: 'decimal',
    description: 'Alcohol, in percent by volume.',
    example: '12.5',
  },
  sweetness: {
    ...given(v.nullable(decimal(1, 9999))),
    default: null,
    kind: 'decimal',
    description: 'Residual sugar, in grams per litre.',
    example: '4.2',
  },
  acid: {
    ...given(v.nullable(decimal(1, 9999))),
    default: null,
    kind: 'decimal',
    description: 'Total acidity, in grams per litre.',
    example: '6.8',
  },
  bottlesize: {
    ...given(Litres),
    default: '0.750',
    kind: 'decimal',
    filter: true,
    description: 'Content of a bottle, in litres.',
    example: '0.375',
  },
  drinktemperature: {
    ...given(OneLine),
    default: null,
    kind: 'text',
    description: 'Serving temperature, in degrees Celsius.',
    example: '8-10',
  },
  gross: {
    ...shown(Price),
    body: PriceOrNone,
    column: v.nullable(Price),
    default: '0.00',
    kind: 'decimal',
    description:
      'Price of a bottle with tax, in euros. A wine whose price is left out or null shows 0.00 and is not for sale; one whose price is given as 0.00 is a gift.',
    inFiles: 'An empty cell takes the wine off sale, unless net is given.',
    example: '9.90',
  },
  net: {
    ...given(Price),
    body: PriceOrNone,
    default: '0.00',
    kind: 'decimal',
    description: 'Price without tax, in euros; follows from gross and taxrate if left out.',
    example: '8.32',
  },
  tax: {
    ...given(Price),
    body: PriceOrNone,
    default: '0.00',
    kind: 'decimal',
    description: 'Tax in the price, in euros; follows from gross and taxrate if left out.',
    example: '1.58',
  },
  taxrate: {
    ...given(TaxRate),
    default: 19,
    kind: 'integer',
    description: 'Tax rate of the price, in percent.',
    example: 7,
  },
  description: {
    ...given(optionalLines(10_000)),
    default: null,
    kind: 'text',
    search: 'long',
    description: 'Description of the wine; it may have several lines.',
    example: 'Saftig, mit Noten von Pfirsich.',
  },
  terroir: {
    ...given(OneLine),
    default: null,
    kind: 'text',
    search: 'short',
    description: 'Soil and site.',
    example: 'Buntsandstein',
  },
  maturation: {
    ...given(OneLine),
    default: null,
    kind: 'text',
    search: 'short',
    description: 'How the wine was matured.',
    example: '12 Monate im Holzfass',
  },
  bottling_type: {
    ...given(BottlingType),
    default: null,
    kind: 'text',
    filter: true,
    example: 'estate',
    description: 'Who bottled the wine.',
  },
  cap: {
    ...given(v.nullable(oneOfWords(caps))),
    default: null,
    kind: 'text',
    filter: true,
    example: 'cork',
    description: 'Closure of the bottle.',
  },
  gtin: {
    ...given(Gtin),
    default: null,
    kind: 'text',
    search: 'short',
    example: '4006381333931',
    description: 'Global Trade Item Number (EAN) of a bottle.',
  },
  cuvee: { ...given(Flag), default: 0, kind: 'flag', filter: true, description: '1 marks a blend.' },
  bio: { ...given(Flag), default: 0, kind: 'flag', filter: true, description: '1 marks an organic wine.' },
  vegan: { ...given(Flag), default: 0, kind: 'flag', filter: true, description: '1 marks a vegan wine.' },
  active: {
    ...given(Flag),
    default: 1,
    kind: 'flag',
    description: '0 takes the wine off the market: it is neither shown publicly nor sold.',
  },
  public: {
    ...given(Flag),
    default: 0,
    kind: 'flag',
    filter: true,
    description: '1 shows the wine to everyone, without a session.',
  },
  shop: {
    ...given(Flag),
    default: 0,
    kind: 'flag',
    filter: true,
    description: '1 offers the wine in the online shop.',
  },
  winesearch: {
    ...given(Flag),
    default: 0,
    kind: 'flag',
    description: 'Flag for wine search sites, which the service stores and does not use.',
  },
  internal: {
    ...confidential(Flag),
    default: 0,
    kind: 'flag',
    description: 'Flag for the merchant alone; no shop shows it.',
  },
  network: {
    ...confidential(Flag),
    default: 0,
    kind: 'flag',
    description: 'Flag for exchange with other merchants; no shop shows it.',
  },
  topseller: {
    ...given(Flag),
    default: 0,
    kind: 'flag',
    filter: true,
    description: '1 marks the wine as a bestseller.',
  },
  nostock: {
    ...given(Flag),
    default: 0,
    kind: 'flag',
    description: '1 marks the wine as sold out, whatever is in stock.',
  },
  nostocktext: {
    ...given(OneLine),
    default: null,
    kind: 'text',
    description: 'Text that a shop shows while nostock is 1.',
    example: 'Wieder ab Oktober',
  },
  stock: { column: v.nullable(Whole), description: 'Number of pieces in stock; empty ends counting.', example: 48 },
  sorting: {
    ...given(Whole),
    default: 0,
    kind: 'integer',
    description: 'Rank in sorted lists; the lowest number comes first.',
    example: 10,
  },
  weight: {
    ...given(Whole),
    default: 0,
    kind: 'integer',
    description: 'Weight as a whole number, in the unit that the merchant uses; the service does not use it.',
    example: 1300,
  },
  language: {
    ...given(Language),
    default: 'de',
    kind: 'text',
    filter: true,
    description: 'Language of the texts, as two letters.',
    example: 'en',
  },
  allergenIds: {
    ...given(uniqueList(oneOfIds(allergenIds))),
    default: [],
    kind: 'ids',
    filter: true,
    description: 'Allergens by their ids in the labels, such as 12 for sulphites.',
    example: [12],
  },
  grapetypeIds: {
    ...given(GrapeIds),
    ...shown(Ids),
    default: [],
    kind: 'ids',
    filter: true,
    description: 'Grape varieties by id or, in requests and files, by name.',
    example: [17, 5],
  },
  origin_id: {
    ...shown(v.nullable(v.number())),
    body: v.nullable(Id),
    column: v.nullable(Id),
    default: null,
    kind: 'id',
    description: 'Id of the wine that this one translates; null for an original.',
    inFiles: 'Only where the original has no article number.',
    example: 1204,
  },
  original: {
    column: OneLine,
    description: 'Article number of the wine that this one translates.',
    inFiles: 'A row finds a translation by it and the language.',
    example: '2021-017',
  },
  winery_id: {
    ...shown(v.nullable(v.number())),
    body: v.nullable(Id),
    default: null,
    kind: 'id',
    filter: true,
    description: 'Id of the winery that made the wine.',
  },
  image: {
    ...given(Image),
    ...shown(OneLine),
    default: null,
    kind: 'text',
    description: 'Path of the picture. A request may set `drawn`, which shows a drawn bottle.',
    example: drawnWord,
  },
  categoryIds: {
    ...shown(Ids),
    body: list(Id, 100),
    default: [],
    kind: 'ids',
    filter: true,
    description: 'Ids of the categories that the wine is in.',
  },
  categories: {
    column: uniqueList(filled()),
    description: 'Names of the categories; the import adds those that are missing.',
    example: ['Sommerweine', 'Bio'],
  },
  prices: {
    schema: v.array(RangePrice),
    body: list(GivenRangePrice, 100),
    column: FiledRangePrices,
    default: [],
    description: "Prices that replace the wine's own price for clients of a price range.",
    inFiles: 'With tax, in euros; the import adds price ranges that are missing.',
    example: [{ priceRange: 'Gastronomie', gross: '7.50' }],
  },
  winery: {
    schema: v.nullable(Winery),
    public: v.nullable(PublicWinery),
    column: FiledWinery,
    default: null,
    description: 'Winery that made the wine, as it is now.',
    fields: wineryFields,
  },
  translations: {
    ...shown(v.array(Translation)),
    default: [],
    description: 'Records of the same wine in other languages.',
  },
  predecessor_id: {
    ...shown(v.nullable(v.number())),
    default: null,
    description: 'Id of the previous vintage, which `wines/rollOver` or an import made this wine from; null if none.',
  },
  successor_id: {
    ...shown(v.nullable(v.number())),
    default: null,
    description: 'Id of the next vintage, which `wines/rollOver` or an import made; null if none. It may be hidden.',
  },
  path_segment: {
    ...shown(v.string()),
    body: PathSegment,
    column: PathSegment,
    kind: 'text',
    search: 'short',
    filter: true,
    description: "Name in URLs, unique among the merchant's wines; follows from the name if left out.",
    example: 'riesling-kalkstein',
  },
  pdf: {
    ...shown(v.nullable(v.string())),
    default: null,
    kind: 'text',
    description: 'File name of the expertise PDF, as `wines/downloadExpertise` takes it.',
  },
  expertisePdf: {
    ...shown(v.nullable(v.string())),
    default: null,
    kind: 'text',
    description: 'Path of the expertise PDF, as `/PDF/12/riesling.pdf`; null where there is none to download.',
  },
  customers_id: { ...common.customers_id, ...shown(v.number()), kind: 'id' },
  cruser_id: { ...common.cruser_id, kind: 'id' },
  crstamp: { ...common.crstamp, ...shown(Timestamp), kind: 'text' },
  chstamp: { ...common.chstamp, ...shown(Timestamp), kind: 'text' },
  hash: {
    schema: v.string(),
    kind: 'text',
    description: 'Public name of the wine, 32 hexadecimal digits; its QR code carries it.',
  },
  version: { schema: v.number(), default: 1, kind: 'integer', description: 'Number that rises with each change.' },
} as const satisfies FieldTable

/** A wine as its merchant sees it; money and decimals are strings, timestamps UTC. */
export const Wine = v.strictObject(entriesOf(wineFields, 'schema'))
export type Wine = v.InferOutput<typeof Wine>
export type WineTranslation = Wine['translations'][number]

/** The public part of a wine. */
export const PublicWine = v.strictObject(entriesOf(wineFields, 'public'))
export type PublicWine = v.InferOutput<typeof PublicWine>

export const completeWine = createCompletion(wineFields, 'schema')

/** The public part of a wine; fields that only the merchant may see are dropped. */
export const completePublicWine = createCompletion(wineFields, 'public')

/** The data of wines/add. */
export const NewWine = v.strictObject(givenEntries(wineFields, 'body', namesWith(wineFields, { required: true })))
export type NewWine = v.InferOutput<typeof NewWine>

/** The data of wines/edit: only what changes. `version` guards against lost updates. */
export const WineChange = v.strictObject({ ...givenEntries(wineFields, 'body', []), version: recordVersion })
export type WineChange = v.InferOutput<typeof WineChange>
