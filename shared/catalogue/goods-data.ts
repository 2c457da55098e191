import { type BadField, fieldsProblem, validationProblem } from '../contract/errors.ts'
import type { PriceRange } from '../contract/records/price-range.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { type Amounts, completeAmounts, type GivenAmounts, type TaxFree } from '../values/money.ts'

// The data that wines and products have in common: their prices, and their references to categories and price ranges.

type RangePrice = Amounts & { price_range_id: number; priceRangeName: string; taxrate: number }

/** A wine or product with its own price and its prices for price ranges. */
type Priced = {
  id: number
  gross: string
  priced?: 0 | 1
  taxrate: number
  prices: readonly RangePrice[]
}

/** Amounts that a request or row may give, null for no price. */
type PriceToSet = { [Column in keyof Amounts]?: string | null | undefined }

type GivenRangePrice = GivenAmounts & { price_range_id: number; taxrate?: number | undefined }

/** The fields of a request, or of a row, that change prices. */
export type GivenPrices = PriceToSet & {
  taxrate?: number | undefined
  prices?: readonly GivenRangePrice[] | undefined
}

/** All amounts of a price of `record`; `path` leads to it in the request. Throws price_inconsistent. */
export const amountsOf = (given: GivenAmounts, taxrate: number, record: string, path: string): Amounts => {
  const amounts = completeAmounts(given, taxrate, record)
  if (amounts !== 'inconsistent') return amounts
  const expected = 'consistent with net, tax and taxrate, or the only amount given'
  throw fieldsProblem('price_inconsistent', [{ path: `${path}gross`, rule: 'price_inconsistent', expected }])
}

export const isPriced = ({ gross, net, tax }: GivenAmounts): boolean => (gross ?? net ?? tax) !== undefined

const columns = ['gross', 'net', 'tax'] as const

const isZero = (amount: string | null | undefined): boolean => amount === '0.00'

type Typed = PriceToSet & { taxrate?: number | undefined }

const asTyped = <Some extends Typed>(price: Some): Some => {
  const { gross, net, tax, taxrate, ...others } = price
  const isZeroed = columns.every(column => isZero(price[column]))
  return {
    ...others,
    ...(isZeroed ? { gross, net, tax } : { gross: gross ?? net ?? gross }),
    // The rate that answers show; the record keeps its own, for the day on which the merchant charges tax.
    taxrate: taxrate === 0 ? undefined : taxrate,
  } as Some
}

/** The prices that a request means: of a merchant who charges no tax, each is a gross amount, as answers show it. */
export const typedPrices = <Some extends GivenPrices>({ tax_free }: TaxFree, given: Some): Some =>
  tax_free === 1 ? { ...asTyped(given), ...(given.prices && { prices: given.prices.map(asTyped) }) } : given

/** The price of a record after a change, and 1 if it was given, also as 0.00. A gross amount of null takes it away. */
const ownPrice = (present: Priced, given: PriceToSet): { amounts: GivenAmounts; priced: 0 | 1 } => {
  const kept = { amounts: { gross: present.gross }, priced: present.priced ?? 0 } as const
  // A record without a price that is written back as it was read gets none.
  if (present.priced === 0 && columns.every(column => isZero(given[column]))) return kept
  const amounts = Object.fromEntries(
    columns.flatMap(column => (typeof given[column] === 'string' ? [[column, given[column]]] : [])),
  )
  if (Object.keys(amounts).length > 0) return { amounts, priced: 1 }
  return given.gross === null ? { amounts: { gross: '0.00' }, priced: 0 } : kept
}

const rangePrices = (
  present: Priced,
  { taxrate = present.taxrate, prices }: GivenPrices,
  names: ReadonlyMap<number, string>,
  title: string,
): RangePrice[] => {
  // Prices that stay keep their gross amount at the record's new tax rate.
  const kept = present.prices.map(({ price_range_id, gross, taxrate: own }) => ({
    price_range_id,
    gross,
    taxrate: own === present.taxrate ? taxrate : own,
  }))
  return (prices ?? kept).map((price: GivenRangePrice, n) => {
    const { price_range_id, taxrate: rate = taxrate } = price
    const former = present.prices.find(one => one.price_range_id === price_range_id)
    return {
      price_range_id,
      priceRangeName: names.get(price_range_id) ?? former?.priceRangeName ?? '',
      taxrate: rate,
      ...amountsOf(price, rate, `${title} for the price range ${price_range_id}`, `data.prices.${n}.`),
    }
  })
}

/**
 * The prices of a record after a change; `names` has the names of price ranges by id, `title` is the record in errors. Throws
 * price_inconsistent, and RangeError for a malformed amount.
 */
export const pricesAfter = (
  present: Priced,
  given: GivenPrices,
  names: ReadonlyMap<number, string>,
  title: string,
): Amounts & { priced: 0 | 1; taxrate: number; prices: RangePrice[] } => {
  const { taxrate = present.taxrate } = given
  const { amounts, priced } = ownPrice(present, given)
  return {
    taxrate,
    ...amountsOf(amounts, taxrate, title, 'data.'),
    priced,
    prices: rangePrices(present, given, names, title),
  }
}

/** The categories and price ranges that a request names. */
type References = {
  categoryIds?: readonly number[] | undefined
  prices?: readonly { price_range_id: number }[] | undefined
}

/** The keys of the categories and price ranges that the data of a wine or product names. */
export const referenceKeys = (merchant: MerchantId, { categoryIds = [], prices = [] }: References) => ({
  categories: categoryIds.map(id => key('category', { merchant, id })),
  priceRanges: prices.map(({ price_range_id: id }) => key('priceRange', { merchant, id })),
})

/** The fields of a request that name a record that does not exist, of the items found for them. */
export const lostOf = (found: readonly unknown[], what: string, path: (n: number) => string): BadField[] =>
  found.flatMap((one, n) =>
    one === undefined ? [{ path: path(n), rule: 'reference', expected: `the id of ${what} of this merchant` }] : [],
  )

type Found = { categories: readonly unknown[]; priceRanges: readonly (PriceRange | undefined)[] }

/**
 * Returns the names of the price ranges by id. Throws reference_not_found if a price range, a category, or a further
 * field is lost.
 */
export const namesIn = (
  { categories, priceRanges }: Found,
  further: readonly BadField[] = [],
): ReadonlyMap<number, string> => {
  const lost = [
    ...further,
    ...lostOf(categories, 'a category', n => `data.categoryIds.${n}`),
    ...lostOf(priceRanges, 'a price range', n => `data.prices.${n}.price_range_id`),
  ]
  if (lost.length > 0) throw fieldsProblem('reference_not_found', lost)
  return new Map(priceRanges.flatMap(range => (range ? [[range.id, range.name] as const] : [])))
}

/** Throws validation_failed if a list names a price range or a category twice. */
export const checkLists = ({ prices, categoryIds }: References): void => {
  const lists: [string, readonly number[]][] = [
    ['data.prices', prices?.map(price => price.price_range_id) ?? []],
    ['data.categoryIds', categoryIds ?? []],
  ]
  const fields: BadField[] = lists
    .filter(([, ids]) => new Set(ids).size !== ids.length)
    .map(([path]) => ({ path, rule: 'unique', expected: 'free of duplicates' }))
  if (fields.length > 0) throw validationProblem(fields)
}
