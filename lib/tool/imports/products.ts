import { givenOnly, pick, type RowOf, storedColumns } from '../../../shared/contract/records/fields.ts'
import type { PriceRange } from '../../../shared/contract/records/price-range.ts'
import { completeProduct, type Product, productFields } from '../../../shared/contract/records/product.ts'
import { productOf } from '../../../shared/products/stored.ts'
import { absent, equals } from '../../../shared/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/table/keys.ts'
import { query } from '../../../shared/table/table.ts'
import { type Action, put } from '../../../shared/table/transact.ts'
import { timestamp } from '../../../shared/time.ts'
import { withFreshIds } from './fresh-ids.ts'
import { planRows, type Refuse } from './plan.ts'
import { idsByName, readPriceRanges, withPriceRanges } from './price-ranges.ts'
import { filedPrices, rangePricesAt, repriced } from './prices.ts'
import { formatOf } from './rows.ts'
import { inVersions, type Kind, readVersion } from './run.ts'
import { readStocks, type Stocks, stockAction } from './stocks.ts'

/**
 * One product as a file gives it, known by its article number. A column that is missing leaves the product's value
 * alone; null clears it. `net` and `tax` follow from `gross` and `taxrate`; prices go by the names of their price
 * ranges; `stock` null means not counted.
 */
export type ProductRow = RowOf<typeof productFields, 'articlenumber'>

/** A product with the version of its item. */
type StoredProduct = Product & { version: number }
type NumberedProduct = StoredProduct & { articlenumber: string }
type State = { version: number; products: StoredProduct[]; stocks: Stocks; ranges: PriceRange[] }

/** Reads a merchant's products by id. */
export const readProducts = async (merchant: MerchantId): Promise<StoredProduct[]> => {
  const items = await query({ pk: partition('product', { merchant }) })
  return items.map(item => ({ ...productOf(item), version: item.version }))
}

const readState = async (merchant: MerchantId): Promise<State> => {
  const version = await readVersion(merchant, 'products')
  const [products, stocks, ranges] = await Promise.all([
    readProducts(merchant),
    readStocks(merchant, 'product'),
    readPriceRanges(merchant),
  ])
  return { version, products, stocks, ranges }
}

// A translation shares its original's article number, so only originals answer to one.
const isNumbered = (product: StoredProduct): product is NumberedProduct =>
  product.articlenumber !== null && product.origin_id === null

const own = storedColumns(productFields)

const rowOf = (product: NumberedProduct, stocks: Stocks): ProductRow => ({
  ...pick(product, own),
  articlenumber: product.articlenumber,
  prices: filedPrices(product.prices),
  stock: stocks.get(product.id) ?? null,
})

const check = ({ name, gross }: ProductRow, refuse: Refuse): void => {
  if (name === undefined) refuse('name', 'required', 'given for a new product')
  if (gross === undefined) refuse('gross', 'required', 'given for a new product, or net')
}

/** A product with what a row says, the price ranges' ids by name; what the row leaves out stays as it is. */
export const withRow = (product: Product, row: ProductRow, rangeIds: ReadonlyMap<string, number>): Product => {
  const { prices, stock, gross, net, tax, ...given } = row
  const record = `product ${product.id}`
  const price = repriced(product, row, record)
  const ranges = rangePricesAt(price.taxrate, prices ?? filedPrices(product.prices), rangeIds, record)
  return completeProduct({
    ...product,
    ...givenOnly(given),
    ...price,
    prices: ranges.map(one => ({ ...one, product_id: product.id })),
  })
}

/** What a new product is given beside its row. */
export type ProductIdentity = { id: number; customers_id: number; now: string }

/** A new product from a row, the price ranges' ids by name. */
export const newProduct = (
  { now, ...identity }: ProductIdentity,
  row: ProductRow,
  rangeIds: ReadonlyMap<string, number>,
): Product => withRow(completeProduct({ ...identity, name: '', crstamp: now, chstamp: now }), row, rangeIds)

// No id is longer, no time either.
const longestIds = (prices: ProductRow['prices'] = []): ReadonlyMap<string, number> =>
  new Map(prices.map(({ priceRange }) => [priceRange, Number.MAX_SAFE_INTEGER]))

// Gross and tax rate say it all; net and tax would be those of before.
const recordOf = ({ net, tax, ...whole }: ProductRow, product: NumberedProduct | undefined): Product => {
  const unknown = { id: Number.MAX_SAFE_INTEGER, customers_id: Number.MAX_SAFE_INTEGER, now: '2026-01-01 00:00:00' }
  const rangeIds = longestIds(whole.prices)
  return product ? withRow(product, whole, rangeIds) : newProduct(unknown, whole, rangeIds)
}

type Write = { before: number | null; after: Product; stock: number | null | undefined }

const writeActions = (merchant: MerchantId, { before, after, stock }: Write): Action[] => {
  const record = put(
    `product ${after.id}`,
    key('product', { merchant, id: after.id }),
    { doc: JSON.stringify(after), version: (before ?? 0) + 1 },
    { when: [before === null ? absent : equals('version', before)] },
  )
  return stock === undefined ? [record] : [record, stockAction(merchant, 'product', after.id, stock)]
}

/** Products as files bring them. */
export const products: Kind<ProductRow, NumberedProduct, State> = {
  name: 'products',
  keyed: 'the article number tells which product a row is',
  isWholeList: false,
  format: formatOf(productFields, ['articlenumber']),
  titleOf: ({ articlenumber, name }) => [articlenumber, name].filter(Boolean).join(' '),
  read: readState,
  plan: (state, rows, lines) =>
    planRows(
      state.products.filter(isNumbered),
      rows,
      {
        column: 'articlenumber',
        single: 'that of a single product',
        rowOf: product => rowOf(product, state.stocks),
        check,
        recordOf,
      },
      lines,
    ),
  writes: async function* (merchant, { state, plan: { additions, changes }, wantedId }) {
    const rows = [...additions, ...changes.map(({ row }) => row)]
    const named = rows.flatMap(({ prices }) => prices ?? [])
    const rangeIds = idsByName(await withPriceRanges(merchant, state.ranges, named))
    const now = timestamp(Date.now())
    const taken = state.products.map(({ id }) => id)
    const added = withFreshIds(additions, wantedId, taken).map(({ id, row }): Write => {
      const after = newProduct({ id, customers_id: merchant, now }, row, rangeIds)
      return { before: null, after, stock: row.stock ?? undefined }
    })
    const changed = changes.map(({ record, row, fields }): Write => {
      const after = { ...withRow(record, row, rangeIds), chstamp: now }
      // An order may take from the stock at this moment; only a stock that the file changes is written.
      const stock = fields.some(({ name }) => name === 'stock') ? row.stock : undefined
      return { before: record.version, after, stock }
    })
    const groups = [...changed, ...added].map(write => writeActions(merchant, write))
    yield* inVersions(merchant, 'products', state.version, groups)
  },
  exported: ({ products: all, stocks }) => {
    // Gross and tax rate say it all; net and tax follow.
    const rows = all.filter(isNumbered).map(product => {
      const { net, tax, ...row } = rowOf(product, stocks)
      return row
    })
    return { rows, unnamed: all.length - rows.length }
  },
}
