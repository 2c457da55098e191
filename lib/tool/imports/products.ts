import { productOf } from '../../../shared/catalogue/products/stored.ts'
import { readStocks, type Stocks, stockAction } from '../../../shared/catalogue/stock.ts'
import { givenOnly, pick, type RowOf, storedColumns } from '../../../shared/contract/records/fields.ts'
import { completeProduct, type Product, productFields } from '../../../shared/contract/records/product.ts'
import { absent, equals } from '../../../shared/platform/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { query } from '../../../shared/platform/table/table.ts'
import { type Action, put } from '../../../shared/platform/table/transact.ts'
import { timestamp } from '../../../shared/values/time.ts'
import {
  grossOnly,
  type IdsByName,
  idsOf,
  longestIdsOf,
  type NamedRecords,
  namedColumns,
  readNamedRecords,
  salesColumns,
  withNamedRecords,
} from './goods.ts'
import { segmentOnce, segmentPicker, withFreshIds } from './new-records.ts'
import { planRows, type Refuse } from './plan.ts'
import { formatOf } from './rows.ts'
import { inVersions, type Kind, readVersion } from './run.ts'

/**
 * A row of a product file. A missing column leaves the product's value unchanged, null clears it. Prices and categories
 * refer to names; `stock` null means not counted.
 */
export type ProductRow = RowOf<typeof productFields, 'articlenumber'>

/** A product with the version of its item. */
type StoredProduct = Product & { version: number }
type NumberedProduct = StoredProduct & { articlenumber: string }
type State = NamedRecords & { version: number; products: StoredProduct[]; stocks: Stocks }

/** Reads a merchant's products, ordered by id. */
export const readProducts = async (merchant: MerchantId): Promise<StoredProduct[]> => {
  const items = await query({ pk: partition('product', { merchant }) })
  return items.map(item => ({ ...productOf(item), version: item.version }))
}

const readState = async (merchant: MerchantId): Promise<State> => {
  const version = await readVersion(merchant, 'products')
  const [products, stocks, named] = await Promise.all([
    readProducts(merchant),
    readStocks(merchant, 'product'),
    readNamedRecords(merchant),
  ])
  return { version, products, stocks, ...named }
}

// A translation shares its original's article number.
const isNumbered = (product: StoredProduct): product is NumberedProduct =>
  product.articlenumber !== null && product.origin_id === null

const own = storedColumns(productFields)

const rowsOf = (state: Pick<State, 'stocks' | 'categories'>) => {
  const columnsOf = namedColumns(state)
  return (product: NumberedProduct): ProductRow => {
    const { path_segment, ...record } = pick(product, own)
    return {
      ...record,
      ...(path_segment !== null && { path_segment }),
      articlenumber: product.articlenumber,
      ...columnsOf(product),
    }
  }
}

/** Refuses a product without a name or a price, and a path_segment of another product. */
const checking = (present: readonly StoredProduct[]) => {
  const checkSegment = segmentOnce('articlenumber', present, 'that of no other product')
  return (row: ProductRow, refuse: Refuse): void => {
    if (row.name === undefined) refuse('name', 'required', 'given for a new product')
    if (row.gross === undefined) refuse('gross', 'required', 'given for a new product, or net')
    checkSegment(row, refuse)
  }
}

/** The product after a row. */
export const withRow = (product: Product, row: ProductRow, ids: IdsByName): Product => {
  const { stock, categories, ...given } = row
  const { prices, ...sale } = salesColumns(product, row, ids, `product ${product.id}`)
  return completeProduct({
    ...product,
    ...givenOnly(given),
    ...sale,
    prices: prices.map(one => ({ ...one, product_id: product.id })),
  })
}

type ProductIdentity = { id: number; customers_id: number; now: string }

/** A new product from a row. */
export const newProduct = ({ now, ...identity }: ProductIdentity, row: ProductRow, ids: IdsByName): Product =>
  withRow(completeProduct({ ...identity, name: '', crstamp: now, chstamp: now }), row, ids)

/** The largest record that a row can make. */
const recordOf = (row: ProductRow, product: NumberedProduct | undefined): Product => {
  const identity = { id: Number.MAX_SAFE_INTEGER, customers_id: Number.MAX_SAFE_INTEGER, now: '2026-01-01 00:00:00' }
  // Net and tax may be those of before.
  const [whole, ids] = [grossOnly(row), longestIdsOf(row)]
  return product ? withRow(product, whole, ids) : newProduct(identity, whole, ids)
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

/** Products in files. */
export const products: Kind<ProductRow, NumberedProduct, State> = {
  name: 'products',
  keyed: 'the article number identifies the product of a row',
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
        rowOf: rowsOf(state),
        check: checking(state.products),
        recordOf,
      },
      lines,
    ),
  writes: async function* (merchant, { state, plan: { additions, changes }, wantedId }) {
    const rows = [...additions, ...changes.map(({ row }) => row)]
    const ids = idsOf(await withNamedRecords(merchant, state, rows))
    const now = timestamp(Date.now())
    const taken = state.products.map(({ id }) => id)
    const added = withFreshIds(additions, wantedId, taken).map(({ id, row }): Write => {
      const after = newProduct({ id, customers_id: merchant, now }, row, ids)
      return { before: null, after, stock: row.stock ?? undefined }
    })
    const changed = changes.map(({ record, row, fields }): Write => {
      const after = { ...withRow(record, row, ids), chstamp: now }
      // Orders may change the stock concurrently: only a stock that the file changes is written.
      const stock = fields.some(({ name }) => name === 'stock') ? row.stock : undefined
      return { before: record.version, after, stock }
    })
    const groups = withSegments(state.products, [...changed, ...added]).map(write => writeActions(merchant, write))
    yield* inVersions(merchant, 'products', state.version, groups)
  },
  exported: state => {
    const rows = state.products.filter(isNumbered).map(rowsOf(state)).map(grossOnly)
    return { rows, unnamed: state.products.length - rows.length }
  },
}
