import * as v from 'valibot'
import { Flag, filled, optionalLines, Whole } from '../contract/wire.ts'
import { pricesIn } from '../imports/cells.ts'
import { type Format, formatOf, type RowOf } from '../imports/format.ts'
import { givenOnly, valuesOf } from '../imports/objects.ts'
import { type Plan, planRows, type Refuse } from '../imports/plan.ts'
import { rangePricesAt, rangePricesOf, repriced } from '../imports/prices.ts'
import { type Fields, Language, OneLine, Price, RangePrices, whole } from '../imports/values.ts'
import type { Product } from './record.ts'

const fields = {
  articlenumber: filled(),
  name: filled(),
  gross: Price,
  net: Price,
  tax: Price,
  taxrate: whole(0, 100),
  prices: RangePrices,
  package_quantity: whole(0, 9999),
  stock: v.nullable(Whole),
  description: optionalLines(10_000),
  image: OneLine,
  pdf: OneLine,
  language: Language,
  active: Flag,
  public: Flag,
  shop: Flag,
  internal: Flag,
  network: Flag,
  nostock: Flag,
  nostocktext: OneLine,
} satisfies Fields

/**
 * One product as an import gives it, keyed by its article number. A key that is missing leaves the product's value
 * alone; null clears it. `net` and `tax` follow from `gross` and `taxrate`; prices go by the names of their price
 * ranges; `stock` null means not counted.
 */
export type ProductRow = RowOf<typeof fields, 'articlenumber'>

/** How products stand in files. */
export const productFormat: Format<ProductRow> = formatOf({
  fields,
  required: ['articlenumber'],
  lists: { prices: pricesIn },
})

/** Counted stocks by product id. */
export type Stocks = ReadonlyMap<number, number | null>

const ownKeys = Object.keys(fields).filter(key => key !== 'prices' && key !== 'stock')

const rowOf = (product: Product, stocks: Stocks): ProductRow => ({
  ...(valuesOf(product, ownKeys) as ProductRow),
  prices: rangePricesOf(product.prices),
  stock: stocks.get(product.id) ?? null,
})

const check = ({ name, gross }: ProductRow, refuse: Refuse): void => {
  if (name === undefined) refuse('name', 'required', 'given for a new product')
  if (gross === undefined) refuse('gross', 'required', 'given for a new product, or net')
}

const numbered = <P extends Product>(products: readonly P[]): P[] =>
  products.filter(({ articlenumber, origin_id }) => articlenumber !== null && origin_id === null)

/** What importing the rows would do to the products of one merchant. */
export const planProducts = <P extends Product>(
  products: readonly P[],
  rows: readonly ProductRow[],
  stocks: Stocks,
  lines?: readonly number[],
): Plan<ProductRow, P> =>
  planRows(
    numbered(products),
    rows,
    { column: 'articlenumber', noun: 'product', rowOf: product => rowOf(product, stocks), check },
    lines,
  )

/** A product with what a row says, the price ranges' ids by name; what the row leaves out stays as it is. */
export const withRow = (product: Product, row: ProductRow, rangeIds: ReadonlyMap<string, number>): Product => {
  const { prices, stock, gross, net, tax, ...own } = row
  const price = repriced(product, row)
  const ranges = rangePricesAt(price.taxrate, prices ?? rangePricesOf(product.prices), rangeIds)
  return {
    ...product,
    ...givenOnly(own),
    ...price,
    prices: ranges.map(one => ({ ...one, product_id: product.id })),
  }
}

/** What a new product is given beside its row. */
export type Birth = { id: number; customers_id: number; now: string }

const unset = {
  name: '',
  articlenumber: null,
  net: '0.00',
  tax: '0.00',
  taxrate: 19,
  gross: '0.00',
  description: null,
  image: null,
  pdf: null,
  active: 1,
  nostock: 0,
  nostocktext: null,
  origin_id: null,
  language: 'de',
  cruser_id: 0,
  network: 0,
  internal: 0,
  public: 0,
  shop: 0,
  package_quantity: 1,
} as const satisfies Partial<Product>

/** A product with nothing set but what the service gives it. */
export const bareProduct = ({ now, ...birth }: Birth): Product => ({
  ...unset,
  ...birth,
  crstamp: now,
  chstamp: now,
  prices: [],
})

// Gross and tax rate say it all; net and tax follow.
const exported = ({ net, tax, ...row }: ProductRow): ProductRow => row

/** The products as rows, such that planProducts finds nothing to do; one without an article number is left out. */
export const exportProducts = (products: readonly Product[], stocks: Stocks): ProductRow[] =>
  numbered(products).map(product => exported(rowOf(product, stocks)))
