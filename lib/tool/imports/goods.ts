import { readCategories } from '../../../shared/catalogue/category-edit.ts'
import type { Stocks } from '../../../shared/catalogue/stock.ts'
import type { Category } from '../../../shared/contract/records/category.ts'
import type { PriceRange } from '../../../shared/contract/records/price-range.ts'
import type { FiledRangePrice } from '../../../shared/contract/schema/fields.ts'
import type { MerchantId } from '../../../shared/platform/table/keys.ts'
import type { GivenAmounts } from '../../../shared/values/money.ts'
import { categories } from './categories.ts'
import { priceRanges } from './price-ranges.ts'
import { addMissing } from './run.ts'

// The columns that wines and products have in common: price, prices for price ranges, categories, stock.

/**
 * The records that rows of wines and products refer to by name. `rangesVersion` is that of the price ranges, read before
 * them.
 */
export type NamedRecords = {
  categories: readonly Category[]
  priceRanges: readonly PriceRange[]
  rangesVersion: number
}

/** Their ids by name. */
export type IdsByName = Record<'categories' | 'priceRanges', ReadonlyMap<string, number>>

type Price = { priceRangeName: string; gross: string }
type GoodsRow = Omit<GivenAmounts, 'gross'> & {
  gross?: string | null | undefined
  taxrate?: number | undefined
  prices?: FiledRangePrice[] | undefined
  categories?: string[] | undefined
}

/** Reads the categories and price ranges of a merchant. */
export const readNamedRecords = async (merchant: MerchantId): Promise<NamedRecords> => {
  const [all, { version: rangesVersion, ranges }] = await Promise.all([
    readCategories(merchant),
    priceRanges.read(merchant),
  ])
  return { categories: all, priceRanges: ranges, rangesVersion }
}

/** Adds the categories and price ranges that rows name and that are missing; returns all. */
export const withNamedRecords = async (
  merchant: MerchantId,
  present: NamedRecords,
  rows: readonly GoodsRow[],
): Promise<NamedRecords> => {
  const categoryNames = rows.flatMap(row => row.categories ?? [])
  const names = rows.flatMap(({ prices = [] }) => prices.map(({ priceRange }) => priceRange))
  const isAdded = [
    await addMissing(merchant, categories, present.categories, categoryNames),
    await addMissing(merchant, priceRanges, present.priceRanges, names),
  ].includes(true)
  // Another request may have renamed one of the others.
  return isAdded ? withNamedRecords(merchant, await readNamedRecords(merchant), rows) : present
}

/** Ids of records by their names. */
export const idsByName = (records: readonly { id: number; name: string }[]): ReadonlyMap<string, number> =>
  new Map(records.map(({ id, name }) => [name, id]))

/** The ids of categories and price ranges by name. */
export const idsOf = ({ categories: all, priceRanges: ranges }: Pick<NamedRecords, keyof IdsByName>): IdsByName => ({
  categories: idsByName(all),
  priceRanges: idsByName(ranges),
})

/** The longest ids that the names in a row can get, for the size of its record. */
export const longestIdsOf = ({ categories: named = [], prices = [] }: GoodsRow): IdsByName => ({
  categories: new Map(named.map(name => [name, Number.MAX_SAFE_INTEGER])),
  priceRanges: new Map(prices.map(({ priceRange }) => [priceRange, Number.MAX_SAFE_INTEGER])),
})

/**
 * The price, prices for price ranges and categories that a row gives, with ids in place of names; names without an id are left
 * out. The prices are at the tax rate after the row.
 */
export const salesData = ({ gross, net, tax, taxrate, prices, categories: named }: GoodsRow, ids: IdsByName) => ({
  ...{ gross, net, tax, taxrate },
  ...(named && { categoryIds: named.flatMap(name => ids.categories.get(name) ?? []) }),
  ...(prices && {
    prices: prices.flatMap(({ priceRange, gross: amount }) => {
      const price_range_id = ids.priceRanges.get(priceRange)
      return price_range_id === undefined ? [] : [{ price_range_id, gross: amount }]
    }),
  }),
})

/** The names of price ranges by id. */
export const rangeNames = ({ priceRanges: all }: IdsByName): ReadonlyMap<number, string> =>
  new Map([...all].map(([name, id]) => [id, name]))

const filedPrices = (prices: readonly Price[]): FiledRangePrice[] =>
  prices.map(({ priceRangeName, gross }) => ({ priceRange: priceRangeName, gross }))

/** Returns the columns of a row that a wine's or product's own fields do not contain: names instead of ids, and the stock. */
export const namedColumns = ({ categories: all, stocks }: { categories: readonly Category[]; stocks: Stocks }) => {
  const names = new Map(all.map(({ id, name }) => [id, name]))
  return ({ id, categoryIds, prices }: { id: number; categoryIds: readonly number[]; prices: readonly Price[] }) => ({
    categories: categoryIds.flatMap(one => names.get(one) ?? []),
    prices: filedPrices(prices),
    stock: stocks.get(id) ?? null,
  })
}

/** The price of a record in a file: empty cells without a price, which a price of 0.00 is. */
export const filedPrice = ({ priced, gross, net, tax }: Required<GivenAmounts> & { priced?: 0 | 1 }) =>
  priced === 1 ? { gross, net, tax } : { gross: null, net: undefined, tax: undefined }

/** The row without net and tax, which follow from gross and taxrate. */
export const grossOnly = <Row extends { net?: unknown; tax?: unknown }>({ net, tax, ...row }: Row) => row
