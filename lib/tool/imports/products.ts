import {
  blankProduct,
  productAction,
  readProducts,
  type StoredProduct,
  withData,
} from '../../../shared/catalogue/products/edit.ts'
import type { PricedProduct } from '../../../shared/catalogue/products/stored.ts'
import { segmentPicker } from '../../../shared/catalogue/segments.ts'
import { readStocks, type Stocks, stockAction } from '../../../shared/catalogue/stock.ts'
import { readRecordsVersion } from '../../../shared/catalogue/versions.ts'
import { productFields } from '../../../shared/contract/records/product.ts'
import { pick, type RowOf, storedColumns } from '../../../shared/contract/schema/fields.ts'
import { checkRoom } from '../../../shared/merchants/quotas.ts'
import type { MerchantId } from '../../../shared/platform/table/keys.ts'
import type { Action } from '../../../shared/platform/table/transact.ts'
import { timestamp } from '../../../shared/values/time.ts'
import {
  filedPrice,
  grossOnly,
  type IdsByName,
  idsOf,
  longestIdsOf,
  type NamedRecords,
  namedColumns,
  rangeNames,
  readNamedRecords,
  salesData,
  withNamedRecords,
} from './goods.ts'
import { numberOrId, segmentOnce, withFreshIds } from './new-records.ts'
import { namedAlone, planRows, type Refuse } from './plan.ts'
import { formatOf, missing } from './rows.ts'
import { inVersions, type Kind } from './run.ts'

/**
 * A row of a product file. A missing column leaves the product's value unchanged, null clears it. Prices and categories
 * refer to names; `stock` null means not counted.
 */
export type ProductRow = RowOf<typeof productFields, never>

type ProductState = NamedRecords & { version: number; products: StoredProduct[]; stocks: Stocks }

const readState = async (merchant: MerchantId): Promise<ProductState> => {
  const version = await readRecordsVersion(merchant, 'products')
  const [products, stocks, named] = await Promise.all([
    readProducts(merchant),
    readStocks(merchant, 'product'),
    readNamedRecords(merchant),
  ])
  return { version, products, stocks, ...named }
}

const own = storedColumns(productFields)

const rowsOf = (state: Pick<ProductState, 'stocks' | 'categories'>) => {
  const columnsOf = namedColumns(state)
  return (product: StoredProduct): ProductRow => {
    const { path_segment, ...record } = pick(product, own)
    return {
      ...record,
      ...filedPrice(product),
      ...(path_segment !== null && { path_segment }),
      ...columnsOf(product),
    }
  }
}

/** Refuses a product without a name, and a path_segment of another product. */
const createCheck = (present: readonly StoredProduct[]) => {
  const checkSegment = segmentOnce<ProductRow, StoredProduct>(
    present,
    numberOrId('articlenumber', present),
    'that of no other product',
  )
  return (row: ProductRow, refuse: Refuse): void => {
    if (row.name === undefined) refuse('name', 'required', 'given for a new product')
    checkSegment(row, refuse)
  }
}

/** The product after a row. */
export const withRow = (product: Parameters<typeof withData>[0], row: ProductRow, ids: IdsByName): PricedProduct => {
  const { id, stock, categories, prices, ...given } = row
  return withData(product, { ...given, ...salesData(row, ids) }, rangeNames(ids))
}

type ProductIdentity = { id: number; customers_id: number; now: string }

/** A new product from a row. */
export const newProduct = (identity: ProductIdentity, row: ProductRow, ids: IdsByName): PricedProduct =>
  withRow(blankProduct(identity), row, ids)

/** The largest record that a row can make. */
const recordOf = (row: ProductRow, product: StoredProduct | undefined): PricedProduct => {
  const identity = { id: Number.MAX_SAFE_INTEGER, customers_id: Number.MAX_SAFE_INTEGER, now: '2026-01-01 00:00:00' }
  // Net and tax may be those of before.
  const [whole, ids] = [grossOnly(row), longestIdsOf(row)]
  return product ? withRow(product, whole, ids) : newProduct(identity, whole, ids)
}

/** The version of a product before (null: it is new), the product after; `stock` null ends counting, undefined leaves it. */
type Write = { before: number | null; after: PricedProduct; stock: number | null | undefined }

const actionsOf = (merchant: MerchantId, { before, after, stock }: Write): Action[] => [
  productAction(merchant, before, after),
  ...(stock === undefined ? [] : [stockAction(merchant, 'product', after.id, stock)]),
]

/** Gives products without a path_segment a path_segment that no other has. */
const withSegments = (present: readonly StoredProduct[], written: readonly Write[]): Write[] => {
  const pickSegment = segmentPicker([...present, ...written.map(({ after }) => after)])
  return written.map(write => ({ ...write, after: { ...write.after, path_segment: pickSegment(write.after) } }))
}

/** Products in files. */
export const products: Kind<ProductRow, StoredProduct, ProductState> = {
  name: 'products',
  keyed: 'the article number identifies the product of a row, the id one without an article number',
  format: formatOf(productFields, [], {
    check: ({ id, articlenumber }, report) => {
      if (id === undefined && !articlenumber) report('articlenumber', missing)
    },
  }),
  titleOf: ({ articlenumber, name }) => [articlenumber, name].filter(Boolean).join(' '),
  read: readState,
  plan: (state, rows, lines) =>
    planRows(
      state.products,
      rows,
      {
        column: 'articlenumber',
        keyOf: numberOrId('articlenumber', state.products),
        single: 'that of a single product',
        rowOf: rowsOf(state),
        check: createCheck(state.products),
        recordOf,
      },
      lines,
    ),
  writes: async function* (merchant, { state, plan: { additions, changes } }) {
    await checkRoom(merchant, 'products', state.products, additions.length)
    const rows = [...additions, ...changes.map(({ row }) => row)]
    const ids = idsOf(await withNamedRecords(merchant, state, rows))
    const now = timestamp(Date.now())
    const taken = state.products.map(({ id }) => id)
    const added = withFreshIds(additions, taken).map(({ id, row }): Write => {
      const after = newProduct({ id, customers_id: merchant, now }, row, ids)
      return { before: null, after, stock: row.stock ?? undefined }
    })
    const changed = changes.map(({ record, row, fields }): Write => {
      const after = { ...withRow(record, row, ids), chstamp: now }
      // Orders may change the stock concurrently: only a stock that the file changes is written.
      const stock = fields.some(({ name }) => name === 'stock') ? row.stock : undefined
      return { before: record.version, after, stock }
    })
    const groups = withSegments(state.products, [...changed, ...added]).map(write => actionsOf(merchant, write))
    yield* inVersions(merchant, 'products', state.version, groups)
  },
  exportRows: state => {
    const all = state.products
    const rows = namedAlone(all, numberOrId('articlenumber', all)).map(rowsOf(state)).map(grossOnly)
    return { rows, leftOut: all.length - rows.length }
  },
}
