import * as v from 'valibot'
import { Flag, filled, optionalLines, Timestamp, Whole } from '../wire.ts'
import {
  completing,
  entriesOf,
  type Fields,
  FiledRangePrices,
  filed,
  Image,
  Language,
  listOf,
  OneLine,
  PathSegment,
  Price,
  rangePrice,
  TaxRate,
  whole,
} from './fields.ts'

const RangePrice = v.strictObject({ ...rangePrice, product_id: v.number() })

/**
 * What a merchant sells beside wine (the item of a product position, interface document 2.3). Its `quantity` there is
 * the stock, which is kept apart from the record; `package_quantity` is how many bottles one piece counts for in packing.
 */
export const productFields = {
  id: { schema: v.number() },
  articlenumber: {
    schema: OneLine,
    column: filled(),
    default: null,
    meaning: 'Article number, by which a row finds its product.',
    example: '2021-017',
  },
  name: { ...filed(filled()), meaning: 'Name of the product; a new product needs it.', example: 'Riesling-Glas' },
  gross: {
    ...filed(Price),
    default: '0.00',
    meaning: 'Price of one piece with tax, in euros; a new product needs it, or net.',
    example: '9.90',
  },
  net: {
    ...filed(Price),
    default: '0.00',
    meaning: 'Price without tax, in euros; it follows from gross and taxrate where it is left out.',
    example: '8.32',
  },
  tax: {
    ...filed(Price),
    default: '0.00',
    meaning: 'Tax in the price, in euros; it follows from gross and taxrate where it is left out.',
    example: '1.58',
  },
  taxrate: { ...filed(TaxRate), default: 19, meaning: 'Tax rate of the price, in percent.', example: 7 },
  prices: {
    schema: v.array(RangePrice),
    column: FiledRangePrices,
    default: [],
    meaning: 'Prices for price ranges, with tax, in euros; the import adds price ranges that are missing.',
    example: [{ priceRange: 'Gastronomie', gross: '7.50' }],
  },
  package_quantity: {
    ...filed(whole(0, 9999)),
    default: 1,
    meaning: 'Number of bottles that one piece counts for in packing.',
    example: 3,
  },
  // A product of an older import has none.
  path_segment: {
    schema: v.nullable(v.string()),
    column: PathSegment,
    default: null,
    meaning: 'Name in URLs, unlike that of any other product; it follows from the name where it is left out.',
    example: 'riesling-glas',
  },
  categoryIds: { schema: v.array(v.number()), default: [] },
  categories: {
    column: listOf(filled()),
    meaning: 'Names of the categories; the import adds those that are missing.',
    example: ['Zubehör'],
  },
  stock: { column: v.nullable(Whole), meaning: 'Number of pieces in stock; empty ends counting.', example: 48 },
  description: {
    ...filed(optionalLines(10_000)),
    default: null,
    meaning: 'Description of the product; it may have several lines.',
    example: 'Mundgeblasen, 0,4 Liter.',
  },
  image: {
    schema: OneLine,
    column: Image,
    default: null,
    meaning: 'Picture, as the images command supplies it.',
    example: '/Images/product/1-12/0123456789abcdef0123456789abcdef-800x1600.webp',
  },
  pdf: {
    ...filed(OneLine),
    default: null,
    meaning: 'Link to a PDF about the product.',
    example: 'https://sonnenhang.example/glas.pdf',
  },
  language: { ...filed(Language), default: 'de', meaning: 'Language of the texts.', example: 'en' },
  active: { ...filed(Flag), default: 1, meaning: '0 takes the product off the market: it is not sold.' },
  public: { ...filed(Flag), default: 0, meaning: 'A mark that the service keeps and does not use.' },
  shop: { ...filed(Flag), default: 0, meaning: '1 offers the product in the online shop.' },
  internal: { ...filed(Flag), default: 0, meaning: 'A mark that the service keeps and does not use.' },
  network: {
    ...filed(Flag),
    default: 0,
    meaning: 'A mark for exchange with other merchants, which the service keeps and does not use.',
  },
  topseller: { ...filed(Flag), default: 0, meaning: '1 marks the product as a bestseller.' },
  sorting: {
    ...filed(Whole),
    default: 0,
    meaning: 'Place in sorted lists; the lowest number comes first.',
    example: 10,
  },
  nostock: { ...filed(Flag), default: 0, meaning: '1 marks the product as sold out, whatever is in stock.' },
  nostocktext: {
    ...filed(OneLine),
    default: null,
    meaning: 'Text that a shop shows while nostock is 1.',
    example: 'Wieder ab Oktober',
  },
  origin_id: { schema: v.nullable(v.number()), default: null },
  customers_id: { schema: v.number() },
  cruser_id: { schema: v.number(), default: 0 },
  crstamp: { schema: Timestamp },
  chstamp: { schema: Timestamp },
} as const satisfies Fields

/** A product as it is stored and shown. */
export const Product = v.strictObject(entriesOf(productFields, 'schema'))
export type Product = v.InferOutput<typeof Product>

/** Puts a product together from what is known of it. */
export const completeProduct = completing(productFields, 'schema')
