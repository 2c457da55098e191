import { addSums, apportion, type Cents, divideRounded, noSum, type Side, type Sum } from '../../values/money.ts'

/** A line of an invoice: its total in cents, as the invoice shows it. */
export type InvoiceLine = Sum & { quantity: number; taxrate: number }

/** The part of a line that is credited, and what its rebates take off that; both 0 or more. */
export type LineCredit = { own: Sum; off: Sum }

/** An invoiced line with the part of the invoice's rebates that is its own. */
export type RebatedLine = InvoiceLine & { off: Sum }

const minus = (a: Sum, b: Sum): Sum => ({ net: a.net - b.net, tax: a.tax - b.tax, gross: a.gross - b.gross })

/** Spreads a column of a total over lines by largest remainder: no line gets more than its own, if the lines are enough. */
const spread = (lines: readonly InvoiceLine[], total: Sum, column: keyof Sum): Cents[] => {
  const whole = lines.reduce((sum, line) => sum + line[column], 0)
  if (whole === 0) return lines.map(() => 0)
  return apportion(
    lines.map(line => BigInt(line[column]) * BigInt(total[column])),
    BigInt(whole),
  )
}

/** The lines of one tax rate after the rebates of the invoice: together they are its total at that rate. */
const rebatedAtRate = (lines: readonly InvoiceLine[], total: Sum, side: Side): Sum[] => {
  const nets = spread(lines, total, 'net')
  const taxes = spread(lines, total, 'tax')
  const left = spread(lines, total, 'gross').map((gross, n) => gross - (taxes[n] ?? 0))
  // Goods of a cent or two may get a gross amount that neither fits their tax nor their net amount: then net and tax decide.
  const fits = side === 'gross' && lines.every(({ net }, n) => (left[n] ?? 0) >= 0 && (left[n] ?? 0) <= net)
  return (fits ? left : nets).map((net, n) => {
    const tax = taxes[n] ?? 0
    return { net, tax, gross: net + tax }
  })
}

const isSame = (a: Sum, b: Sum): boolean => a.net === b.net && a.tax === b.tax && a.gross === b.gross

/**
 * Spreads an invoice's rebates over its lines, so that lines less rebates are its totals at each tax rate to the cent.
 * `side` is the column that the invoice is calculated from. Throws RangeError for totals that its lines cannot be.
 */
export const withOff = (
  lines: readonly InvoiceLine[],
  taxrates: Readonly<Record<string, Sum>>,
  side: Side,
): RebatedLine[] => {
  const off = new Map<InvoiceLine, Sum>()
  for (const [rate, group] of Map.groupBy(lines, ({ taxrate }) => taxrate)) {
    const total = taxrates[rate] ?? noSum
    const rebated = rebatedAtRate(group, total, side)
    if (!isSame(addSums(rebated), total))
      throw new RangeError(`the lines at ${rate} % are not the total of their invoice`)
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
