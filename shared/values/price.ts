import { type Cents, completePrice, formatSum, parseMoney } from './money.ts'

/** The amounts of a price, strings with two decimals. */
export type Amounts = { gross: string; net: string; tax: string }

/** What is agreed with a client about prices: its price range, if it has one, and whether it pays tax. */
export type PriceTerms = { price_range_id: number | null; tax_free: 0 | 1 }

/** The price of a record for a client's price range; undefined where the record's own price holds. */
export const agreedPrice = <Price extends { price_range_id: number }>(
  { prices }: { prices: readonly Price[] },
  { price_range_id }: Pick<PriceTerms, 'price_range_id'>,
): Price | undefined => prices.find(price => price.price_range_id === price_range_id)

/**
 * A record as a client may see it who is signed in: of the prices for price ranges just its own, if there is one; those of
 * others are not its business. A record that nobody is signed in for stays as it is.
 */
export const withOwnPrices = <Record extends { prices: { price_range_id: number }[] }>(
  record: Record,
  client: Pick<PriceTerms, 'price_range_id'> | undefined,
): Record => {
  if (!client) return record
  const price = agreedPrice(record, client)
  return { ...record, prices: price ? [price] : [] }
}

type Price = Amounts & { taxrate: number }

type TaxFree = Partial<Pick<PriceTerms, 'tax_free'>>

/** Whether an order shows no tax: its merchant charges none, or its client pays none. */
export const paysNoTax = (merchant: TaxFree, client: TaxFree | null | undefined): boolean =>
  merchant.tax_free === 1 || client?.tax_free === 1

/** A price without tax: the net price. */
const withoutTax = <Some extends Price>(price: Some): Some => ({ ...price, tax: '0.00', gross: price.net, taxrate: 0 })

type Priced = Price & { prices: (Price & { price_range_id: number })[] }

/**
 * A record of the catalogue as a client may see it who is signed in: its amounts are what an order would bill that client
 * for one piece, and of the prices for price ranges there is just its own. With `taxFree` none of them has tax, whoever
 * is signed in.
 */
export const withClientPrice = <Record extends Priced>(
  record: Record,
  client: PriceTerms | undefined,
  taxFree = client?.tax_free === 1,
): Record => {
  if (!client && !taxFree) return record
  const own = withOwnPrices(record, client)
  const agreed = client && agreedPrice(record, client)
  const { net, tax, gross, taxrate } = agreed ?? record
  const paid = { ...own, net, tax, gross, taxrate }
  return taxFree ? withoutTax({ ...paid, prices: paid.prices.map(withoutTax) }) : paid
}

/** The same of a page of records. */
export const withClientPrices = <Record extends Priced, Page extends { data: Record[] }>(
  page: Page,
  client: PriceTerms | undefined,
): Page => (client ? { ...page, data: page.data.map(record => withClientPrice(record, client)) } : page)

/** The amounts of a price, as far as they are given. */
export type GivenAmounts = { [Column in keyof Amounts]?: string | undefined }

/** The cents of an amount. Throws RangeError, naming the field, for a text that is none: it must never count as 0. */
const centsOf = (amount: string, field: string): Cents => {
  const cents = parseMoney(amount)
  if (cents === undefined) throw new RangeError(`${field} is no amount with two decimals`)
  return cents
}

/**
 * All amounts of a price from those given, at a tax rate in whole percent; 'inconsistent' when they contradict each
 * other, or when one of them is larger than an amount of a record may be. Throws RangeError, naming the field of
 * `record`, for a text that is no amount.
 */
export const completeAmounts = (
  { gross, net, tax }: GivenAmounts,
  taxrate: number,
  record: string,
): Amounts | 'inconsistent' => {
  const sum = completePrice({
    ...(gross !== undefined && { gross: centsOf(gross, `gross of ${record}`) }),
    ...(net !== undefined && { net: centsOf(net, `net of ${record}`) }),
    ...(tax !== undefined && { tax: centsOf(tax, `tax of ${record}`) }),
    taxrate,
  })
  if (sum === 'inconsistent') return sum
  const amounts = formatSum(sum)
  // Net is never above gross. What cannot be read again must not be stored.
  return parseMoney(amounts.gross) === undefined ? 'inconsistent' : amounts
}
