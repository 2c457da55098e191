import {
  addSums,
  apportion,
  type Cents,
  divideRounded,
  multiply,
  noSum,
  percentOf,
  type Side,
  type Sum,
  safeCents,
  splitTax,
} from '../../values/money.ts'

/** A unit price, or a unit rebate (at most 0), in both columns; the order's mode selects a column. */
export type Price = { net: Cents; gross: Cents }

/** A unit amount at one tax rate in whole percent. */
export type Share = { taxrate: number; unit: Price }

/** A rebate, as one unit amount for every tax rate it touches. */
export type RebateLine = { kind: 'rebate'; quantity: number; shares: readonly Share[] }

/** A line of an order: at one tax rate, or a rebate spread over several. */
export type CartLine = ({ kind: 'goods' | 'package' | 'rebate'; quantity: number } & Share) | RebateLine

/** The input of pricing; cashback in whole percent, 0 to 100. */
export type Cart = { lines: readonly CartLine[]; mode: Side; taxFree: boolean; cashback: number }

/** The sums by tax rate (as text). */
export type Taxrates = Record<string, Sum>

/** A priced order: `lines` in the order of the cart's, each the line's total. */
export type Totals = {
  lines: Sum[]
  taxrates: Taxrates
  total: Sum
  item: Sum
  package: Sum
  rebate: Sum
  grossCashback: Cents
}

type Entry = { line: number; amount: Cents }

/** The column that an order is priced by: net for a tax-free order. */
export const sideOf = ({ mode, taxFree }: Pick<Cart, 'mode' | 'taxFree'>): Side => (taxFree ? 'net' : mode)

export const sharesOf = (line: CartLine): readonly Share[] => ('shares' in line ? line.shares : [line])

const byRate = (cart: Cart): Map<number, Entry[]> => {
  const side = sideOf(cart)
  const entries = cart.lines.flatMap((line, index) =>
    sharesOf(line).map(({ taxrate, unit }) => ({
      line: index,
      rate: cart.taxFree ? 0 : taxrate,
      amount: multiply(unit[side], line.quantity),
    })),
  )
  return Map.groupBy(entries, entry => entry.rate)
}

const groupSum = (entries: readonly Entry[], rate: number, side: Side): Sum => {
  const amount = entries.reduce((sum, entry) => safeCents(sum + entry.amount), 0)
  return splitTax(amount, rate, side)
}

/** The lines of a rate in all columns; the computed column is apportioned so that they add up to the group. */
const lineSums = (entries: readonly Entry[], rate: number, side: Side): Sum[] => {
  const [factor, divisor] = side === 'gross' ? [100n, BigInt(100 + rate)] : [BigInt(rate), 100n]
  const computed = apportion(
    entries.map(({ amount }) => BigInt(amount) * factor),
    divisor,
  )
  return entries.map(({ amount }, index) => {
    const part = computed[index] ?? 0
    return side === 'gross'
      ? { net: part, tax: safeCents(amount - part), gross: amount }
      : { net: amount, tax: part, gross: safeCents(amount + part) }
  })
}

/**
 * Prices an order. Tax is rounded once for each rate; Σ lines = Σ taxrates = total to the cent, in every column.
 * RangeError beyond 2^53 cents.
 */
export const cartTotals = (cart: Cart): Totals => {
  const side = sideOf(cart)
  const parts: Sum[][] = cart.lines.map(() => [])
  const taxrates: Taxrates = {}
  for (const [rate, entries] of byRate(cart)) {
    taxrates[rate] = groupSum(entries, rate, side)
    const sums = lineSums(entries, rate, side)
    entries.forEach(({ line }, index) => {
      // Stryker disable next-line OptionalChaining: There is a list for every line; the types do not know.
      parts[line]?.push(sums[index] ?? noSum)
    })
  }
  const lines = parts.map(addSums)
  // Stryker disable next-line OptionalChaining: There is a line for every sum; the types do not know.
  const sumOf = (kind: CartLine['kind']) => addSums(lines.filter((_, index) => cart.lines[index]?.kind === kind))
  const total = addSums(Object.values(taxrates))
  return {
    lines,
    taxrates,
    total,
    item: sumOf('goods'),
    package: sumOf('package'),
    rebate: sumOf('rebate'),
    grossCashback: total.gross - percentOf(total.gross, cart.cashback),
  }
}

/** A column of the caller's totals that differs from ours, and the amount it should have had. */
export type Mismatch = { field: keyof Sum; expected: Cents }

/**
 * Checks the caller's totals against ours: the column of the mode must match to the cent, the others within the rounding of
 * every unit and every line. Counts include goods, package and rebates. Columns that are not given are not checked.
 */
export const checkClaim = (
  claimed: Partial<Sum>,
  computed: Sum,
  mode: Side,
  lineCount: number,
  totalQuantity: number,
): Mismatch[] => {
  // Half a cent for each unit: rounded half up, a half is its own ceiling.
  const slack = divideRounded(totalQuantity, 2) + lineCount
  const differs = (field: keyof Sum) => {
    const amount = claimed[field]
    // Stryker disable next-line ConditionalExpression: Without an amount the difference is NaN, which is above nothing.
    if (amount === undefined) return false
    return Math.abs(amount - computed[field]) > (field === mode ? 0 : slack)
  }
  return (['net', 'tax', 'gross'] as const).filter(differs).map(field => ({ field, expected: computed[field] }))
}

/** Runs a calculation; throws the given error where an amount exceeds 2^53 cents. */
export const inRange = <T>(calculate: () => T, tooLarge: () => Error): T => {
  try {
    return calculate()
  } catch (error) {
    throw error instanceof RangeError ? tooLarge() : error
  }
}
