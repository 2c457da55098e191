import * as v from 'valibot'
import {
  asRead,
  boundedWhole,
  common,
  confidential,
  createCompletion,
  entriesOf,
  type FieldTable,
  FiledRangePrices,
  givenEntries,
  givenRangePrice,
  Image,
  Language,
  OneLine,
  PathSegment,
  Price,
  PriceOrNone,
  rangePrice,
  TaxRate,
  uniqueList,
} from '../schema/fields.ts'
import { described, Flag, filled, Id, list, optionalLines, Whole } from '../schema/wire.ts'
import { MinAge } from './consumer-information.ts'

const RangePrice = v.strictObject({ ...rangePrice, product_id: described(v.number(), 'Id of the product.') })
const GivenRangePrice = v.strictObject({ ...givenRangePrice('product'), product_id: asRead })

/**
 * An article that is not wine (the item of a product position). Its `quantity` there is the stock,
 * which is stored separately; `package_quantity` is the number of bottles that a piece takes up in a package.
 */
export const productFields = {
  id: {
    schema: v.number(),
    column: Id,
    description: 'Id of the product.',
    inFiles: 'A row without an article number finds its product by it; a new product gets it if it is free.',
    example: 7,
  },
  articlenumber: {
    ...confidential(OneLine),
    default: null,
    description: "The merchant's own article number.",
    inFiles: 'A row finds its product by it.',
    example: '2021-017',
  },
  name: {
    ...confidential(filled()),
    description: 'Name of the product.',
    inFiles: 'A new product needs it.',
    example: 'Riesling-Glas',
  },
  gross: {
    schema: Price,
    body: PriceOrNone,
    column: v.nullable(Price),
    default: '0.00',
    description:
      'Price of one piece with tax, in euros. A product whose price is left out or null shows 0.00 and is not for sale; one whose price is given as 0.00 is a gift.',
    inFiles: 'An empty cell takes the product off sale, unless net is given.',
    example: '9.90',
  },
  net: {
    ...confidential(Price),
    body: PriceOrNone,
    default: '0.00',
    description: 'Price of one piece without tax, in euros; follows from gross and taxrate if left out.',
    example: '8.32',
  },
  tax: {
    ...confidential(Price),
    body: PriceOrNone,
    default: '0.00',
    description: 'Tax in the price, in euros; follows from gross and taxrate if left out.',
    example: '1.58',
  },
  taxrate: { ...confidential(TaxRate), default: 19, description: 'Tax rate of the price, in percent.', example: 7 },
  prices: {
    schema: v.array(RangePrice),
    body: list(GivenRangePrice, 100),
    column: FiledRangePrices,
    default: [],
    description: "Prices that replace the product's own price for clients of a price range.",
    inFiles: 'With tax, in euros; the import adds price ranges that are missing.',
    example: [{ priceRange: 'Gastronomie', gross: '7.50' }],
  },
  package_quantity: {
    ...confidential(boundedWhole(0, 9999)),
    default: 1,
    description: 'Number of bottles that one piece counts for in packing.',
    example: 3,
  },
  min_age: {
    ...confidential(MinAge),
    default: null,
    description: 'Minimum age of the buyer in years, as 18 for spirits; null without one.',
    example: 18,
  },
  // Products of older imports have none.
  path_segment: {
    ...confidential(PathSegment),
    schema: v.nullable(v.string()),
    default: null,
    description: "Name in URLs, unique among the merchant's products; follows from the name of a new one if left out.",
    example: 'riesling-glas',
  },
  categoryIds: {
    schema: v.array(v.number()),
    body: list(Id, 100),
    default: [],
    description: 'Ids of the categories that the product is in.',
  },
  categories: {
    column: uniqueList(filled()),
    description: 'Names of the categories; the import adds those that are missing.',
    example: ['Zubehör'],
  },
  stock: { column: v.nullable(Whole), description: 'Number of pieces in stock; empty ends counting.', example: 48 },
  description: {
    ...confidential(optionalLines(10_000)),
    default: null,
    description: 'Description of the product; it may have several lines.',
    example: 'Mundgeblasen, 0,4 Liter.',
  },
  image: {
    ...confidential(Image),
    schema: OneLine,
    default: null,
    description: 'Path of the picture.',
    inFiles: 'The images command supplies it.',
    example: '/Images/product/1-12/0123456789abcdef0123456789abcdef-800x1600.webp',
  },
  pdf: {
    ...confidential(OneLine),
    default: null,
    description: 'Link to a PDF about the product.',
    example: 'https://sonnenhang.example/glas.pdf',
  },
  language: {
    ...confidential(Language),
    default: 'de',
    description: 'Language of the texts, as two letters.',
    example: 'en',
  },
  active: { ...confidential(Flag), default: 1, description: '0 takes the product off the market: it is not sold.' },
  public: { ...confidential(Flag), default: 0, description: 'Flag that the service stores and does not use.' },
  shop: { ...confidential(Flag), default: 0, description: '1 offers the product in the online shop.' },
  internal: { ...confidential(Flag), default: 0, description: 'Flag that the service stores and does not use.' },
  network: {
    ...confidential(Flag),
    default: 0,
    description: 'Flag for exchange with other merchants, which the service stores and does not use.',
  },
  topseller: { ...confidential(Flag), default: 0, description: '1 marks the product as a bestseller.' },
  sorting: {
    ...confidential(Whole),
    default: 0,
    description: 'Rank in sorted lists; the lowest number comes first.',
    example: 10,
  },
  nostock: { ...confidential(Flag), default: 0, description: '1 marks the product as sold out, whatever is in stock.' },
  nostocktext: {
    ...confidential(OneLine),
    default: null,
    description: 'Text that a shop shows while nostock is 1.',
    example: 'Wieder ab Oktober',
  },
  origin_id: {
    schema: v.nullable(v.number()),
    default: null,
    description: 'Always null: products have no translations.',
  },
  customers_id: common.customers_id,
  cruser_id: { ...common.cruser_id, default: 0 },
  crstamp: common.crstamp,
  chstamp: common.chstamp,
} as const satisfies FieldTable

export const Product = v.strictObject(entriesOf(productFields, 'schema'))
export type Product = v.InferOutput<typeof Product>

export const completeProduct = createCompletion(productFields, 'schema')

/** The data of products/add. */
export const NewProduct = v.strictObject(givenEntries(productFields, 'body', ['name']))
export type NewProduct = v.InferOutput<typeof NewProduct>

/** The data of products/edit: only what changes. */
export const ProductChange = v.strictObject(givenEntries(productFields, 'body', []))
export type ProductChange = v.InferOutput<typeof ProductChange>
