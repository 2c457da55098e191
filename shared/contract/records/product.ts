import * as v from 'valibot'
import { Flag, filled, optionalLines, Timestamp, Whole } from '../wire.ts'
import { completing, entriesOf, type Fields, filed } from './fields.ts'
import {
  FiledRangePrices,
  Image,
  Language,
  listOf,
  OneLine,
  PathSegment,
  Price,
  rangePrice,
  TaxRate,
  whole,
} from './values.ts'

const RangePrice = v.strictObject({ ...rangePrice, product_id: v.number() })

/**
 * What a merchant sells beside wine (the item of a product position, interface document 2.3). Its `quantity` there is
 * the stock, which is kept apart from the record; `package_quantity` is how many bottles one piece counts for in packing.
 */
export const productFields = {
  id: { schema: v.number() },
  articlenumber: { schema: OneLine, column: filled(), default: null },
  name: filed(filled()),
  gross: { ...filed(Price), default: '0.00' },
  net: { ...filed(Price), default: '0.00' },
  tax: { ...filed(Price), default: '0.00' },
  taxrate: { ...filed(TaxRate), default: 19 },
  prices: { schema: v.array(RangePrice), column: FiledRangePrices, default: [] },
  package_quantity: { ...filed(whole(0, 9999)), default: 1 },
  // A product of an older import has none.
  path_segment: { schema: v.nullable(v.string()), column: PathSegment, default: null },
  categoryIds: { schema: v.array(v.number()), default: [] },
  categories: { column: listOf(filled()) },
  stock: { column: v.nullable(Whole) },
  description: { ...filed(optionalLines(10_000)), default: null },
  image: { schema: OneLine, column: Image, default: null },
  pdf: { ...filed(OneLine), default: null },
  language: { ...filed(Language), default: 'de' },
  active: { ...filed(Flag), default: 1 },
  public: { ...filed(Flag), default: 0 },
  shop: { ...filed(Flag), default: 0 },
  internal: { ...filed(Flag), default: 0 },
  network: { ...filed(Flag), default: 0 },
  topseller: { ...filed(Flag), default: 0 },
  sorting: { ...filed(Whole), default: 0 },
  nostock: { ...filed(Flag), default: 0 },
  nostocktext: { ...filed(OneLine), default: null },
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
