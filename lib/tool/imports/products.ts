import { productOf } from '../../../shared/catalogue/products/stored.ts'
import type { Category } from '../../../shared/contract/records/category.ts'
import { givenOnly, pick, type RowOf, storedColumns } from '../../../shared/contract/records/fields.ts'
import type { PriceRange } from '../../../shared/contract/records/price-range.ts'
import { completeProduct, type Product, productFields } from '../../../shared/contract/records/product.ts'
import { absent, equals } from '../../../shared/platform/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { query } from '../../../shared/platform/table/table.ts'
import { type Action, put } from '../../../shared/platform/table/transact.ts'
import { timestamp } from '../../../shared/values/time.ts'
import { readCategories, withCategories } from './categories.ts'
import { withFreshIds } from './fresh-ids.ts'
import { planRows, type Refuse } from './plan.ts'
import { idsByName, longestIds, readPriceRanges, withPriceRanges } from './price-ranges.ts'
import { filedPrices, rangePricesAt, repriced } from './prices.ts'
import { formatOf } from './rows.ts'
import { inVersions, type Kind, readVersion } from './run.ts'
import { segmentOnce, segmentPicker } from './segments.ts'
import { readStocks, type Stocks, stockAction } from './stocks.ts'

/**
 * One product as a file gives it, known by its article number. A column that is missing leaves the product's value
 * alone; null clears it. `net` and `tax` follow from `gross` and `taxrate`, `path_segment` from the name; prices and
 * categories go by names; `stock` null means not counted.
 */
export type ProductRow = RowOf<typeof productFields, 'articlenumber'>

/** A product with the version of its item. */
type StoredProduct = Product & { version: number }
type NumberedProduct = StoredProduct & { articlenumber: string }
type State = {
  version: number
  products: StoredProduct[]
  stocks: Stocks
  ranges: PriceRange[]
  categories: Category[]
}

/** Reads a merchant's products by id. */
export const readProducts = async (merchant: MerchantId): Promise<StoredProduct[]> => {
  const items = await query({ pk: partition('product', { merchant }) })
  return items.map(item => ({ ...productOf(item), version: item.version }))
}

const readState = async (merchant: MerchantId): Promise<State> => {
  const version = await readVersion(merchant, 'products')
  const [products, stocks, ranges, categories] = await Promise.all([
    readProducts(merchant),
    readStocks(merchant, 'product'),
    readPriceRanges(merchant),
    readCategories(merchant),
  ])
  return { version, products, stocks, ranges, categories }
}

// A translation shares its original's article number, so only originals answer to one.
const isNumbered = (product: StoredProduct): product is NumberedProduct =>
  product.articlenumber !== null && product.origin_id === null

const own = storedColumns(productFields)

const namesOf = (categories: readonly Category[]): ReadonlyMap<number, string> =>
  new Map(categories.map(({ id, name }) => [id, name]))

const rowOf = (product: NumberedProduct, { stocks, categories }: Pick<State, 'stocks' | 'categories'>): ProductRow => {
  const { path_segment, ...record } = pick(product, own)
  const names = namesOf(categories)
  return {
    ...record,
    ...(path_segment !== null && { path_segment }),
    articlenumber: product.articlenumber,
    categories: product.categoryIds.flatMap(id => names.get(id) ?? []),
    prices: filedPrices(product.prices),
    stock: stocks.get(product.id) ?? null,
  }
}

/** Refuses what a product lacks, and a path_segment that another one has, be it of the file or of those that are there. */
const checking = (present: readonly StoredProduct[]) => {
  const checkSegment = segmentOnce('articlenumber', present, 'that of no other product')
  return (row: ProductRow, refuse: Refuse): void => {
    if (row.name === undefined) refuse('name', 'required', 'given for a new product')
    if (row.gross === undefined) refuse('gross', 'required', 'given for a new product, or net')
    checkSegment(row, refuse)
  }
}

/** The ids of the records that rows call by their names. */
export type IdsByName = { ranges: ReadonlyMap<string, number>; categories: ReadonlyMap<string, number> }

/** A product with what a row says; what the row leaves out stays as it is. */
export const withRow = (product: Product, row: ProductRow, ids: IdsByName): Product => {
  const { prices, categories, stock, gross, net, tax, ...given } = row
  const record = `product ${product.id}`
  const price = repriced(product, row, record)
  const ranges = rangePricesAt(price.taxrate, prices ?? filedPrices(product.prices), ids.ranges, record)
  return completeProduct({
    ...product,
    ...givenOnly(given),
    ...price,
    ...(categories && { categoryIds: categories.flatMap(name => ids.categories.get(name) ?? []) }),
    prices: ranges.map(one => ({ ...one, product_id: product.id })),
  })
}

/** What a new product is given beside its row. */
export type ProductIdentity = { id: number; customers_id: number; now: string }

/** A new product from a row, the price ranges' ids by name. */
export const newProduct = ({ now, ...identity }: ProductIdentity, row: ProductRow, ids: IdsByName): Product =>
  withRow(completeProduct({ ...identity, name: '', crstamp: now, chstamp: now }), row, ids)

// Gross and tax rate say it all; net and tax would be those of before.
const recordOf = ({ net, tax, ...whole }: ProductRow, product: NumberedProduct | undefined): Product => {
  const unknown = { id: Number.MAX_SAFE_INTEGER, customers_id: Number.MAX_SAFE_INTEGER, now: '2026-01-01 00:00:00' }
  const ids = {
    ranges: longestIds((whole.prices ?? []).map(({ priceRange }) => priceRange)),
    categories: longestIds(whole.categories ?? []),
  }
  return product ? withRow(product, whole, ids) : newProduct(unknown, whole, ids)
}

/** Gives products without a path_segment one that no other has. */
const withSegments = (present: readonly StoredProduct[], written: readonly Write[]): Write[] => {
  const pickSegment = segmentPicker([...present, ...written.map(({ after }) => after)])
  return written.map(write => ({ ...write, after: { ...write.after, path_segment: pickSegment(write.after) } }))
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
        rowOf: product => rowOf(product, state),
        check: checking(state.products),
        recordOf,
      },
      lines,
    ),
  writes: async function* (merchant, { state, plan: { additions, changes }, wantedId }) {
    const rows = [...additions, ...changes.map(({ row }) => row)]
    const ids = {
      ranges: idsByName(await withPriceRanges(merchant, state.ranges, rows)),
      categories: idsByName(await withCategories(merchant, state.categories, rows)),
    }
    const now = timestamp(Date.now())
    const taken = state.products.map(({ id }) => id)
    const added = withFreshIds(additions, wantedId, taken).map(({ id, row }): Write => {
      const after = newProduct({ id, customers_id: merchant, now }, row, ids)
      return { before: null, after, stock: row.stock ?? undefined }
    })
    const changed = changes.map(({ record, row, fields }): Write => {
      const after = { ...withRow(record, row, ids), chstamp: now }
      // An order may take from the stock at this moment; only a stock that the file changes is written.
      const stock = fields.some(({ name }) => name === 'stock') ? row.stock : undefined
      return { before: record.version, after, stock }
    })
    const groups = withSegments(state.products, [...changed, ...added]).map(write => writeActions(merchant, write))
    yield* inVersions(merchant, 'products', state.version, groups)
  },
  exported: state => {
    const { products: all } = state
    // Gross and tax rate say it all; net and tax follow.
    const rows = all.filter(isNumbered).map(product => {
      const { net, tax, ...row } = rowOf(product, state)
      return row
    })
    return { rows, unnamed: all.length - rows.length }
  },
}
