import { completePrice, formatSum, parseMoney } from '../money.ts'
import { givenOnly } from './objects.ts'
import type { GivenPrice } from './parse.ts'
import type { RangePrice } from './values.ts'

const cents = (amount: string | undefined) => (amount === undefined ? undefined : parseMoney(amount))

/** The three columns at a tax rate from those that are given; 0.00 where they contradict each other (a row says so before). */
const pricedAt = (taxrate: number, given: GivenPrice) => {
  const columns = givenOnly({ gross: cents(given.gross), net: cents(given.net), tax: cents(given.tax) })
  const sum = completePrice({ ...columns, taxrate })
  return formatSum(sum === 'inconsistent' ? { net: 0, tax: 0, gross: 0 } : sum)
}

/** The price of a record after a row: its amounts, else the gross amount it has, at the tax rate it then has. */
export const repriced = (present: { gross: string; taxrate: number }, { gross, net, tax, taxrate }: GivenPrice) => {
  const rate = taxrate ?? present.taxrate
  const isGiven = (gross ?? net ?? tax) !== undefined
  return { taxrate: rate, ...pricedAt(rate, isGiven ? { gross, net, tax } : { gross: present.gross }) }
}

/** Prices for price ranges, as records keep them; names without an id are left out. */
export const rangePricesAt = (taxrate: number, prices: readonly RangePrice[], ids: ReadonlyMap<string, number>) =>
  prices.flatMap(({ priceRange, gross }) => {
    const price_range_id = ids.get(priceRange)
    if (price_range_id === undefined) return []
    return [{ price_range_id, priceRangeName: priceRange, taxrate, ...pricedAt(taxrate, { gross }) }]
  })

/** The prices of a record as a row gives them. */
export const rangePricesOf = (prices: readonly { priceRangeName: string; gross: string }[]): RangePrice[] =>
  prices.map(({ priceRangeName, gross }) => ({ priceRange: priceRangeName, gross }))
