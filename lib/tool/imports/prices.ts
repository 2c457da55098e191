import type { FiledRangePrice } from '../../../shared/contract/records/fields.ts'
import { type Amounts, completeAmounts, type GivenAmounts } from '../../../shared/values/money.ts'

/** The price of a record, and what a row says of it. */
type Priced = { gross: string; taxrate: number }
type GivenPrice = GivenAmounts & { taxrate?: number | undefined }

/** All amounts of a price at a tax rate. Throws RangeError, naming field and record, for what is no amount and for none at all. */
export const amountsAt = (taxrate: number, given: GivenAmounts, record: string): Amounts => {
  const amounts = completeAmounts(given, taxrate, record)
  // A row that contradicts itself was refused when it was read.
  if (amounts === 'inconsistent') throw new RangeError(`the amounts of ${record} contradict each other`)
  return amounts
}

/**
 * The price of a record after a row: its amounts, else the gross amount it has, at the tax rate it then has. Throws
 * RangeError, naming field and record, for an amount that is none.
 */
export const repriced = (
  present: Priced,
  { gross, net, tax, taxrate = present.taxrate }: GivenPrice,
  record: string,
) => {
  const isGiven = (gross ?? net ?? tax) !== undefined
  return { taxrate, ...amountsAt(taxrate, isGiven ? { gross, net, tax } : { gross: present.gross }, record) }
}

/** Prices for price ranges as records keep them, all at one tax rate; names without an id are left out. Throws as repriced. */
export const rangePricesAt = (
  taxrate: number,
  prices: readonly FiledRangePrice[],
  ids: ReadonlyMap<string, number>,
  record: string,
) =>
  prices.flatMap(({ priceRange, gross }) => {
    const price_range_id = ids.get(priceRange)
    if (price_range_id === undefined) return []
    const amounts = amountsAt(taxrate, { gross }, `${record} for the price range ${priceRange}`)
    return [{ price_range_id, priceRangeName: priceRange, taxrate, ...amounts }]
  })

/** The prices of a record as a row gives them. */
export const filedPrices = (prices: readonly { priceRangeName: string; gross: string }[]): FiledRangePrice[] =>
  prices.map(({ priceRangeName, gross }) => ({ priceRange: priceRangeName, gross }))
