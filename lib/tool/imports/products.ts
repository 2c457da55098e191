import type { PriceRange } from '../../../shared/price-ranges/record.ts'
import {
  bareProduct,
  exportProducts,
  type ProductRow,
  planProducts,
  productFormat,
  withRow,
} from '../../../shared/products/import.ts'
import { type Product, productOf } from '../../../shared/products/record.ts'
import { absent, equals } from '../../../shared/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/table/keys.ts'
import { query } from '../../../shared/table/table.ts'
import { type Action, put } from '../../../shared/table/transact.ts'
import { timestamp } from '../../../shared/time.ts'
import { freshIds } from './fresh-ids.ts'
import type { Kind } from './import-records.ts'
import { ensurePriceRanges, readPriceRanges } from './price-ranges.ts'
import { readStocks, stockAction } from './read-records.ts'

type Kept = Product & { version: number }
type State = { products: Kept[]; stocks: Map<number, number | null>; ranges: PriceRange[] }

/** Reads a merchant's products by id, each with the version of its item. */
export const readProducts = async (merchant: MerchantId): Promise<Kept[]> => {
  const items = await query({ pk: partition('product', { merchant }) })
  return items.map(item => ({ ...productOf(item), version: item.version }))
}

const readState = async (merchant: MerchantId): Promise<State> => {
  const [products, stocks, ranges] = await Promise.all([
    readProducts(merchant),
    readStocks(merchant, 'product'),
    readPriceRanges(merchant),
  ])
  return { products, stocks, ranges }
}

type Write = { id: number; before: number | null; after: Product; stock: number | null | undefined }

const writeActions = (merchant: MerchantId, { id, before, after, stock }: Write): Action[] => {
  const record = put(
    `product ${id}`,
    key('product', { merchant, id }),
    { doc: JSON.stringify(after), version: (before ?? 0) + 1 },
    { when: [before === null ? absent : equals('version', before)] },
  )
  return stock === undefined ? [record] : [record, stockAction(merchant, 'product', id, stock)]
}

/** Products as files bring them. */
export const products: Kind<ProductRow, Kept, State> = {
  name: 'products',
  keyed: 'the article number tells which product a row is',
  isWholeList: false,
  format: productFormat,
  titleOf: ({ articlenumber, name }) => [articlenumber, name].filter(Boolean).join(' '),
  read: readState,
  plan: (state, rows, lines) => planProducts(state.products, rows, state.stocks, lines),
  actions: async (merchant, { state, plan: { additions, changes }, wantedId }) => {
    const rows = [...additions, ...changes.map(({ row }) => row)]
    const named = rows.flatMap(({ prices }) => prices?.map(({ priceRange }) => priceRange) ?? [])
    const ranges = await ensurePriceRanges(merchant, state.ranges, named)
    const rangeIds = new Map(ranges.map(({ id, name }) => [name, id]))
    const now = timestamp(Date.now())
    const ids = freshIds(
      additions.map(wantedId),
      state.products.map(({ id }) => id),
    )
    const added = ids.map((id, n): Write => {
      const row = additions[n] as ProductRow
      const bare = bareProduct({ id, customers_id: merchant, now })
      return { id, before: null, after: withRow(bare, row, rangeIds), stock: row.stock ?? undefined }
    })
    const changed = changes.map(({ record, row, fields }): Write => {
      const { version, ...product } = record
      const after = { ...withRow(product, row, rangeIds), chstamp: now }
      // An order may take from the stock at this moment; only a stock that the file changes is written.
      const stock = fields.some(({ name }) => name === 'stock') ? row.stock : undefined
      return { id: product.id, before: version, after, stock }
    })
    return [...changed, ...added].map(write => writeActions(merchant, write))
  },
  exported: ({ products: all, stocks }) => {
    const rows = exportProducts(all, stocks)
    return { rows, unnamed: all.length - rows.length }
  },
}
