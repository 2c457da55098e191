import { addSums, apportion, type Cents, divideRounded, noSum, type Side, type Sum } from '../../values/money.ts'

/** A line of an invoice: its total in cents, as the invoice shows it. */
export type InvoiceLine = Sum & { quantity: number; taxrate: number }

/** The part of a line that is credited, and what its rebates take off that; both 0 or more. */
export type LineCredit = { own: Sum; off: Sum }

/** An invoiced line with the part of the invoice's rebates that is its own. */
export type RebatedLine = InvoiceLine & { off: Sum }

const minus = (a: Sum, b: Sum): Sum => ({ net: a.net - b.net, tax: a.tax - b.tax, gross: a.gross - b.gross })

const sumOf = (amounts: readonly Cents[]): Cents => amounts.reduce((sum, amount) => sum + amount, 0)

type Bounds = { least: Cents; most: Cents }

/** Moves cents from amounts outside of their bounds to the first others with room. */
const within = (amounts: readonly Cents[], bounds: readonly Bounds[]): Cents[] => {
  const kept = amounts.map((amount, n) => Math.min(Math.max(amount, bounds[n]?.least ?? 0), bounds[n]?.most ?? amount))
  let rest = sumOf(amounts) - sumOf(kept)
  return kept.map((amount, n) => {
    const { least, most } = bounds[n] ?? { least: amount, most: amount }
    const moved = Math.min(Math.max(rest, least - amount), most - amount)
    rest -= moved
    return amount + moved
  })
}

/** Spreads a total over lines by largest remainder. */
const spread = (total: Cents, weights: readonly Cents[]): Cents[] => {
  const whole = sumOf(weights)
  if (whole === 0) return weights.map(() => 0)
  return apportion(
    weights.map(weight => BigInt(weight) * BigInt(total)),
    BigInt(whole),
  )
}

/** The lines of one tax rate after the rebates of the invoice: together they are its total at that rate. */
const rebatedAtRate = (lines: readonly InvoiceLine[], total: Sum, side: Side): Sum[] => {
  const amounts = spread(
    total[side],
    lines.map(line => line[side]),
  )
  const bounds = lines.map(({ net, tax }, n) => {
    const gross = side === 'gross' ? (amounts[n] ?? 0) : Number.MAX_SAFE_INTEGER
    // Neither the net amount nor its rebate is below 0.
    return { least: side === 'gross' ? Math.max(0, gross - net) : 0, most: Math.min(tax, gross) }
  })
  const taxes = within(
    spread(
      total.tax,
      lines.map(({ tax }) => tax),
    ),
    bounds,
  )
  return amounts.map((amount, n) => {
    const tax = taxes[n] ?? 0
    return side === 'gross' ? { net: amount - tax, tax, gross: amount } : { net: amount, tax, gross: amount + tax }
  })
}

/**
 * Spreads an invoice's rebates over its lines, so that lines less rebates are its totals at each tax rate to the cent.
 * `side` is the column that the invoice is calculated from.
 */
export const withOff = (
  lines: readonly InvoiceLine[],
  taxrates: Readonly<Record<string, Sum>>,
  side: Side,
): RebatedLine[] => {
  const off = new Map<InvoiceLine, Sum>()
  for (const [rate, group] of Map.groupBy(lines, ({ taxrate }) => taxrate)) {
    const rebated = rebatedAtRate(group, taxrates[rate] ?? noSum, side)
    group.forEach((line, n) => {
      off.set(line, minus(line, rebated[n] ?? noSum))
    })
  }
  return lines.map(line => ({ ...line, off: off.get(line) ?? noSum }))
}

const share = (whole: Cents, part: Cents, of: Cents): Cents =>
  of === 0 ? 0 : divideRounded(BigInt(whole) * BigInt(part), of)

/** The share of a sum whose column `side` is `part`. */
const splitAs = (whole: Sum, part: Cents, side: Side, quantity: number, of: number): Sum => {
  const tax = whole[side] === 0 ? share(whole.tax, quantity, of) : share(whole.tax, part, whole[side])
  return side === 'gross' ? { net: part - tax, tax, gross: part } : { net: part, tax, gross: part + tax }
}

/**
 * The credit of the first `quantity` pieces of a line. It never falls with the quantity, in no column, and all pieces are
 * the line to the cent; so credits of parts are differences of this, and their sum is the whole.
 */
const creditUpTo = (line: RebatedLine, quantity: number, side: Side): LineCredit => {
  const own = share(line[side], quantity, line.quantity)
  // Each amount follows from the amount it is a part of, by a slope of 1 at most: no rounding makes a difference
  // negative.
  const off = splitAs(line.off, share(line.off[side], own, line[side]), side, quantity, line.quantity)
  const left = splitAs(minus(line, line.off), own - off[side], side, quantity, line.quantity)
  return { own: addSums([left, off]), off }
}

/** The credit of the pieces after `from` up to `to`. */
export const creditBetween = (line: RebatedLine, from: number, to: number, side: Side): LineCredit => {
  const [before, after] = [creditUpTo(line, from, side), creditUpTo(line, to, side)]
  return { own: minus(after.own, before.own), off: minus(after.off, before.off) }
}

/** The credited amount: without the rebates. */
export const amountOf = ({ own, off }: LineCredit): Sum => minus(own, off)
