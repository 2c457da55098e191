import type { Line, OrderRecord } from '../../shared/orders/record.ts'
import type { Kept } from './merchant-data.ts'

type Side = 'net' | 'gross'
type Amounts = { net: string; tax: string; gross: string }
type Price = { net: string; gross: string; taxrate: number }

const unless = (holds: boolean, violation: string): string[] => (holds ? [] : [violation])

// Independent of the service's arithmetic, which may be wrong: whole numbers without bounds.
const cents = (amount: string): bigint => {
  if (!/^-?\d+\.\d\d$/.test(amount)) throw new Error(`${amount} is no amount`)
  return BigInt(amount.replace('.', ''))
}

/** A quotient rounded to a whole number, half away from zero; the divisor is above 0. */
const rounded = (dividend: bigint, divisor: bigint): bigint => {
  const size = dividend < 0n ? -dividend : dividend
  const quotient = (2n * size + divisor) / (2n * divisor)
  return dividend < 0n ? -quotient : quotient
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n)

/** The unit price of a line, by the record it was sold with: of the client's price range, else its own. */
const unitOf = ({ item, item_type }: Line, { client }: OrderRecord): Price => {
  const { prices = [] } = item as { prices?: (Price & { price_range_id: number })[] }
  const agreed = prices.find(price => price.price_range_id === client?.price_range_id)
  return item_type !== 'package' && client?.price_range_id && agreed ? agreed : (item as unknown as Price)
}

/** The column that follows from the one the prices are in is that one's share, rounded up or down to a whole cent. */
const follows = (line: Amounts, rate: number, side: Side): boolean => {
  const [of, factor, divisor] = side === 'gross' ? ['net', 100n, BigInt(100 + rate)] : ['tax', BigInt(rate), 100n]
  const off = cents(line[of as 'net' | 'tax']) * (divisor as bigint) - cents(line[side]) * (factor as bigint)
  return -(divisor as bigint) < off && off < (divisor as bigint)
}

const checkLine = (line: Line, order: OrderRecord, side: Side): string[] => {
  const { id, tax_free } = order.header
  const what = `${line.item_type} ${line.item_id} of order ${id}`
  const unit = unitOf(line, order)
  const rate = tax_free ? 0 : unit.taxrate
  const whole = cents(unit[side]) * BigInt(line.quantity)
  // Packages are free from a value of the goods on, which the merchant may have changed since.
  const isFree = line.item_type === 'package' && [line.net, line.tax, line.gross].every(amount => amount === '0.00')
  return [
    ...unless(line.quantity > 0, `there are ${line.quantity} of ${what}`),
    ...unless(line.taxrate === rate, `${what} is taxed at ${line.taxrate} instead of ${rate}`),
    ...unless(
      isFree || cents(line[side]) === whole,
      `${what}: ${line.quantity} pieces at ${unit[side]} are not ${line[side]} ${side}`,
    ),
    ...unless(follows(line, rate, side), `${what}: ${line.net} net and ${line.tax} tax do not fit ${rate} %`),
  ]
}

const checkRate = (rate: number, group: Amounts, lines: readonly Line[], { header }: OrderRecord, side: Side) => {
  const what = `order ${header.id} at ${rate} %`
  const amount = cents(group[side])
  const expected =
    side === 'gross'
      ? { net: rounded(amount * 100n, BigInt(100 + rate)), gross: amount }
      : { net: amount, gross: amount + rounded(amount * BigInt(rate), 100n) }
  const rebated = amount - sum(lines.filter(line => line.taxrate === rate).map(line => cents(line[side])))
  return [
    ...unless(amount >= 0n, `${what} is below nothing: ${group[side]}`),
    ...unless(rebated <= 0n, `${what} is more than its lines: ${group[side]}`),
    ...unless(
      cents(group.net) === expected.net && cents(group.gross) === expected.gross,
      `${what}: ${group.net} net and ${group.gross} gross instead of ${expected.net} and ${expected.gross} cents`,
    ),
    ...unless(cents(group.tax) === expected.gross - expected.net, `${what}: the tax is ${group.tax}`),
  ]
}

const percentOf = (amount: bigint, percent: number): bigint => rounded(amount * BigInt(percent), 100n)

const checkRebates = ({ order, sold }: Kept, side: Side): string[] => {
  const { header, rebates } = order
  const { id, rebate: percent, taxrates } = header
  const lines = [...sold.positions, ...(sold.package ? [sold.package] : [])]
  const given = sum(Object.values(taxrates).map(group => cents(group[side]))) - sum(lines.map(one => cents(one[side])))
  const byRate = Map.groupBy(sold.positions, ({ taxrate }) => taxrate)
  const agreed = sum([...byRate.values()].map(goods => percentOf(sum(goods.map(one => cents(one[side]))), percent)))
  return [
    ...rebates.flatMap(({ name, net, tax, gross }) =>
      unless(
        [net, tax, gross].every(amount => cents(amount) <= 0n),
        `the rebate ${name} of order ${id} costs something`,
      ),
    ),
    ...unless(
      sum(rebates.map(one => cents(one[side]))) === given,
      `the rebates of order ${id} are not what its tax rates lack: ${given} cents`,
    ),
    ...unless(
      percent === 0 || cents(rebates[0]?.[side] ?? '0.00') === -agreed,
      `${percent} % rebate of order ${id} is ${rebates[0]?.[side]} instead of ${-agreed} cents`,
    ),
  ]
}

/** The terms are those of the client who orders. */
const checkTerms = ({ header, client }: OrderRecord): string[] =>
  (['rebate', 'cashback', 'cashback_period', 'tax_free'] as const).flatMap(term =>
    unless(
      header[term] === (client?.[term] ?? 0),
      `order ${header.id} has ${term} ${header[term]}, its client ${client?.[term]}`,
    ),
  )

/**
 * Recomputes an order from the prices of the records that it was sold with: each line, the tax of each rate, the
 * rebates, the amount due after cashback. Returns sentences about what is wrong.
 */
export const reckoning = (kept: Kept): string[] => {
  const { order, sold } = kept
  const { header } = order
  const side: Side = header.tax_free ? 'net' : header.invoice_type
  const lines = [...sold.positions, ...(sold.package ? [sold.package] : [])]
  const rates = new Set(lines.map(({ taxrate }) => String(taxrate)))
  const due = cents(header.gross) - percentOf(cents(header.gross), header.cashback)
  return [
    ...lines.flatMap(line => checkLine(line, order, side)),
    ...unless(
      rates.size === Object.keys(header.taxrates).length && Object.keys(header.taxrates).every(rate => rates.has(rate)),
      `order ${header.id} is taxed at ${Object.keys(header.taxrates)}, its lines at ${[...rates]}`,
    ),
    ...Object.entries(header.taxrates).flatMap(([rate, group]) => checkRate(Number(rate), group, lines, order, side)),
    ...checkRebates(kept, side),
    ...checkTerms(order),
    ...unless(
      cents(header.gross_cashback) === due,
      `order ${header.id} with ${header.cashback} % cashback leaves ${header.gross_cashback} instead of ${due} cents`,
    ),
  ]
}
