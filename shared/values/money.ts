/** An amount in integer cents, a safe integer. */
export type Cents = number

/** The three columns of an amount, in cents; `net + tax = gross` always holds. */
export type Sum = { net: Cents; tax: Cents; gross: Cents }

/** The column that prices are given in; the other two are computed from it. */
export type Side = 'gross' | 'net'

export const noSum: Sum = { net: 0, tax: 0, gross: 0 }

/** Returns an exact amount, never -0. Throws RangeError for fractions and beyond 2^53. */
export const safeCents = (amount: number): Cents => {
  if (!Number.isSafeInteger(amount)) throw new RangeError('an amount must be a whole number of cents below 2^53')
  // Adding zero turns -0 into 0, which comparisons would tell apart.
  return amount + 0
}

const decimals = /^-?\d+\.\d{2}$/
const shortDecimals = /^-?\d+(\.\d{1,2})?$/

const parseUpTo = (digits: number, value: unknown): Cents | undefined => {
  // A number is printed as the shortest decimal that names it, so more than two decimals are no whole cent.
  const text = typeof value === 'number' ? String(value) : value
  const shape = typeof value === 'number' ? shortDecimals : decimals
  if (typeof text !== 'string' || !shape.test(text)) return undefined
  // Stryker disable next-line StringLiteral: The types ask for the first default; split always returns a first part.
  // (The second default is killed.)
  const [whole = '', cents = ''] = text.split('.')
  if (whole.replace('-', '').length > digits) return undefined
  const amount = Number(whole + cents.padEnd(2, '0'))
  return Number.isSafeInteger(amount) ? safeCents(amount) : undefined
}

/** Cents from "12.50" or from a number that is exact to the cent, up to nine digits before the dot; else undefined. */
export const parseMoney = (value: unknown): Cents | undefined => parseUpTo(9, value)

/**
 * Cents of a sum: as parseMoney, but up to 90071992547409.91, the largest exact amount. A single price has nine digits before
 * the dot, 9,999 pieces of it have more.
 */
export const parseTotal = (value: unknown): Cents | undefined => parseUpTo(14, value)

/** The cents of a sum in its wire form. Throws RangeError for any other text. */
export const totalCents = (amount: string): Cents => {
  const cents = parseTotal(amount)
  if (cents === undefined) throw new RangeError('a sum must be an amount with two decimals')
  return cents
}

/** The cents of the amounts of a sum in their wire form. Throws RangeError for any other text. */
export const totalsOf = ({ net, tax, gross }: Record<keyof Sum, string>): Sum => ({
  net: totalCents(net),
  tax: totalCents(tax),
  gross: totalCents(gross),
})

/** The wire form, such as "-12.50". Throws RangeError if not whole cents. */
export const formatMoney = (amount: Cents): string => {
  const digits = String(Math.abs(safeCents(amount))).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** n / d to the nearest integer, half away from zero; d above zero. RangeError beyond 2^53. */
export const divideRounded = (n: number | bigint, d: number | bigint): Cents => {
  const [top, bottom] = [BigInt(n), BigInt(d)]
  // Stryker disable next-line EqualityOperator: Dividing a bigint by zero throws a RangeError by itself; only the
  // message would be another.
  if (bottom <= 0n) throw new RangeError('the divisor must be above zero')
  // Stryker disable next-line EqualityOperator: Zero with half a divisor added or taken away is cut to zero either way.
  return safeCents(Number((2n * top + (top < 0n ? -bottom : bottom)) / (2n * bottom)))
}

/** a × b in cents; RangeError beyond 2^53. */
export const multiply = (a: Cents, b: number): Cents => safeCents(a * b)

/** A percentage of an amount, to the nearest cent. */
export const percentOf = (amount: Cents, percent: number): Cents => divideRounded(BigInt(amount) * BigInt(percent), 100)

/**
 * The price of a litre, in cents, of equal pieces that cost `total` together and hold `litres` each, half a cent up; null for a
 * total that is not above zero, and for an unknown size.
 */
export const centsPerLitre = (total: Cents, litres: unknown, pieces = 1): Cents | null => {
  const millilitres = Math.round(Number(litres) * 1000)
  if (!(total > 0 && millilitres > 0)) return null
  return divideRounded(BigInt(total) * 1000n, BigInt(millilitres) * BigInt(pieces))
}

/** The three columns of an amount that is given on one side, at a tax rate in whole percent. */
export const splitTax = (amount: Cents, rate: number, side: Side): Sum => {
  if (side === 'net') {
    const tax = percentOf(amount, rate)
    return { net: safeCents(amount), tax, gross: safeCents(amount + tax) }
  }
  const net = divideRounded(BigInt(amount) * 100n, 100 + rate)
  return { net, tax: safeCents(amount - net), gross: safeCents(amount) }
}

export const addSums = (sums: Iterable<Sum>): Sum => {
  let { net, tax, gross } = noSum
  for (const sum of sums) {
    net = safeCents(net + sum.net)
    tax = safeCents(tax + sum.tax)
    gross = safeCents(gross + sum.gross)
  }
  return { net, tax, gross }
}

export const formatSum = ({ net, tax, gross }: Sum) => ({
  net: formatMoney(net),
  tax: formatMoney(tax),
  gross: formatMoney(gross),
})

/**
 * The full price of a record from the columns given: one of gross and net is enough, further columns must agree with it
 * and with the rate, rounded from either side. Otherwise, or with neither gross nor net, 'inconsistent'.
 */
export const completePrice = ({ taxrate, ...given }: Partial<Sum> & { taxrate: number }): Sum | 'inconsistent' => {
  const { tax } = given
  const gross = given.gross ?? (tax === undefined || given.net === undefined ? undefined : given.net + tax)
  const net = given.net ?? (tax === undefined || gross === undefined ? undefined : gross - tax)
  if (gross === undefined) return net === undefined ? 'inconsistent' : splitTax(net, taxrate, 'net')
  // Stryker disable next-line StringLiteral: Whatever is not net is split from gross, and the types allow nothing else.
  if (net === undefined) return splitTax(gross, taxrate, 'gross')
  // This also accepts prices that were rounded from the net side: half a cent of tax is less than half a cent of net.
  // Stryker disable next-line StringLiteral: Whatever is not net is split from gross, and the types allow nothing else.
  const sum = splitTax(gross, taxrate, 'gross')
  return sum.net === net && sum.tax === (tax ?? sum.tax) ? sum : 'inconsistent'
}

/**
 * Whole cents for shares worth `numerator / denominator` each, by largest remainder: every share is its exact value
 * rounded up or down, together they are the rounded sum of the exact values, equal remainders favour earlier shares.
 */
export const apportion = (numerators: readonly bigint[], denominator: bigint): Cents[] => {
  const shares = numerators.map(numerator => {
    const remainder = ((numerator % denominator) + denominator) % denominator
    return { remainder, cents: safeCents(Number((numerator - remainder) / denominator)) }
  })
  const total = divideRounded(
    numerators.reduce((sum, numerator) => sum + numerator, 0n),
    denominator,
  )
  const missing = total - shares.reduce((sum, { cents }) => sum + cents, 0)
  // Sorting is stable: of equal remainders the earlier share stays first.
  const neediest = shares.toSorted((a, b) => Number(b.remainder - a.remainder)).slice(0, missing)
  for (const share of neediest) share.cents += 1
  return shares.map(({ cents }) => cents)
}

/** The amounts of a price in their wire form. */
export type Amounts = { gross: string; net: string; tax: string }

/** A client's terms for prices: its price range, if any, and freedom from tax. */
export type PriceTerms = { price_range_id: number | null; tax_free: 0 | 1 }

/** The price of a record for a client's price range; undefined if the record's own price applies. */
export const agreedPrice = <Price extends { price_range_id: number }>(
  { prices }: { prices: readonly Price[] },
  { price_range_id }: Pick<PriceTerms, 'price_range_id'>,
): Price | undefined => prices.find(price => price.price_range_id === price_range_id)

/**
 * A record as a signed-in client may see it: of the prices for price ranges only its own. Unchanged without a client.
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

export type TaxFree = Partial<Pick<PriceTerms, 'tax_free'>>

/** True if an order has no tax: its merchant charges none, or its client pays none. */
export const paysNoTax = (merchant: TaxFree, client: TaxFree | null | undefined): boolean =>
  merchant.tax_free === 1 || client?.tax_free === 1

type PricedRecord = Price & { prices?: readonly Price[] }

const typedPrice = <Some extends Price>(price: Some): Some => ({ ...price, net: price.gross, tax: '0.00', taxrate: 0 })

/** A record as its merchant sells it: without tax, a merchant's prices are the gross amounts that it typed. */
export const asSoldBy = <Record extends PricedRecord>({ tax_free }: TaxFree, record: Record): Record =>
  tax_free === 1 ? { ...typedPrice(record), ...(record.prices && { prices: record.prices.map(typedPrice) }) } : record

const withoutTax = <Some extends Price>(price: Some): Some => ({ ...price, tax: '0.00', gross: price.net, taxrate: 0 })

type Priced = Price & { prices: (Price & { price_range_id: number })[] }

/**
 * A record of the catalogue, as its merchant sells it, as a signed-in client may see it: its amounts are those that an order
 * would bill for a piece, and of the prices for price ranges only its own remains. A client without tax pays net prices.
 */
export const withClientPrice = <Record extends Priced>(record: Record, client: PriceTerms | undefined): Record => {
  if (!client) return record
  const own = withOwnPrices(record, client)
  const agreed = agreedPrice(record, client)
  const { net, tax, gross, taxrate } = agreed ?? record
  const paid = { ...own, net, tax, gross, taxrate }
  return client.tax_free === 1 ? withoutTax({ ...paid, prices: paid.prices.map(withoutTax) }) : paid
}

export const withClientPrices = <Record extends Priced, Page extends { data: Record[] }>(
  page: Page,
  client: PriceTerms | undefined,
): Page => (client ? { ...page, data: page.data.map(record => withClientPrice(record, client)) } : page)

export type GivenAmounts = { [Column in keyof Amounts]?: string | undefined }

/** The cents of an amount. Throws RangeError, naming the field, for a malformed text: it must never count as 0. */
const centsOf = (amount: string, field: string): Cents => {
  const cents = parseMoney(amount)
  if (cents === undefined) throw new RangeError(`${field} is no amount with two decimals`)
  return cents
}

/**
 * All amounts of a price from those given, at a tax rate in whole percent; 'inconsistent' if they contradict each other, or if
 * an amount is larger than that of a record may be. Throws RangeError, naming the field of `record`, for a malformed
 * text.
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
  // Net is never above gross. A price that cannot be parsed again must not be stored.
  return parseMoney(amounts.gross) === undefined ? 'inconsistent' : amounts
}
