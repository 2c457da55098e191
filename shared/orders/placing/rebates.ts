import {
  addSums,
  apportion,
  type Cents,
  multiply,
  percentOf,
  type Side,
  type Sum,
  splitTax,
} from '../../values/money.ts'
import { type Cart, cartTotals, type RebateLine, type Share, sideOf, type Taxrates } from './totals.ts'

/** A rebate as the caller claims it: unit amounts in cents, none above 0. */
export type ClaimedRebate = Sum & { quantity: number }

/** The caller's amounts, or whole percent of the goods. */
export type RebateRequest = ClaimedRebate | { percent: number }

/** The contract's word for a rebate that is refused, and its place in the list. */
export type RefusedRebate = { refused: 'rebate_invalid' | 'rebate_exceeds_total'; rebate: number }

const isSound = ({ net, tax, gross }: Sum) => net <= 0 && tax <= 0 && net + tax === gross

const ratesOf = (groups: Taxrates): number[] =>
  Object.keys(groups)
    .map(Number)
    .sort((a, b) => b - a)

/** The distance of a claim from its split at a rate, in cents of the worst column. */
const distance = (claim: Sum, rate: number, side: Side): number => {
  const fair = splitTax(claim[side], rate, side)
  return Math.max(Math.abs(fair.net - claim.net), Math.abs(fair.tax - claim.tax), Math.abs(fair.gross - claim.gross))
}

/** The highest rate that reproduces a claim within the tolerance in cents. */
const fittingRate = (claim: Sum, groups: Taxrates, side: Side, tolerance: 0 | 1): number | undefined =>
  ratesOf(groups).find(rate => distance(claim, rate, side) <= tolerance)

/** An amount below zero, spread over the rates in proportion to their groups; equal remainders favour higher rates. */
const proRata = (amount: Cents, groups: Taxrates, side: Side): (Share & { unit: Sum })[] => {
  const rates = ratesOf(groups)
  // Stryker disable next-line OptionalChaining: The rates are those of the groups; the types do not know.
  const weights = rates.map(rate => BigInt(groups[rate]?.[side] ?? 0))
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n) return []
  // The size is spread and then negated, so that a rebate of 10.00 falls as a charge of 10.00 would.
  const sizes = apportion(
    weights.map(weight => weight * BigInt(-amount)),
    whole,
  )
  return rates.map((taxrate, index) => ({ taxrate, unit: splitTax(-(sizes[index] ?? 0), taxrate, side) }))
}

/** The shares of a claim that equals its pro-rata split over several rates. */
const exactSplit = (claim: Sum, groups: Taxrates, side: Side): RebateLine['shares'] | undefined => {
  const shares = proRata(claim[side], groups, side)
  const sum = addSums(shares.map(share => share.unit))
  return shares.length > 0 && sum.net === claim.net && sum.gross === claim.gross ? shares : undefined
}

/**
 * The tax rates a rebate falls on, given the groups of goods and package: the one rate that reproduces its columns
 * exactly, else all of them if its columns equal the pro-rata split, else the highest rate that reproduces them within
 * 1 cent. A split is tried before the tolerance, because a rebate of a few cents lies within it.
 */
export const assignRebate = (claim: ClaimedRebate, groups: Taxrates, side: Side): RebateLine | 'rebate_invalid' => {
  if (!isSound(claim)) return 'rebate_invalid'
  const { net, gross, quantity } = claim
  const onOne = (taxrate: number | undefined) => taxrate !== undefined && [{ taxrate, unit: { net, gross } }]
  const shares =
    onOne(fittingRate(claim, groups, side, 0)) ||
    exactSplit(claim, groups, side) ||
    onOne(fittingRate(claim, groups, side, 1))
  return shares ? { kind: 'rebate', quantity, shares } : 'rebate_invalid'
}

/** A rebate of whole percent on every group given, each rounded for itself. */
export const percentRebate = (percent: number, groups: Taxrates, side: Side): RebateLine => ({
  kind: 'rebate',
  quantity: 1,
  shares: ratesOf(groups).map(taxrate => ({
    taxrate,
    // Stryker disable next-line OptionalChaining: The rates are those of the groups; the types do not know.
    unit: splitTax(-percentOf(groups[taxrate]?.[side] ?? 0, percent), taxrate, side),
  })),
})

/**
 * A cart of goods and package with its rebates as further lines, one each and in their order, or the first refused.
 * Percentages are taken of the goods alone; together the rebates may not push a tax rate's group below 0.
 */
export const withRebates = (cart: Cart, rebates: readonly RebateRequest[]): Cart | RefusedRebate => {
  const side = sideOf(cart)
  const groups = cartTotals(cart).taxrates
  const goods = cartTotals({ ...cart, lines: cart.lines.filter(line => line.kind === 'goods') }).taxrates
  const left = new Map(Object.entries(groups).map(([rate, sum]) => [Number(rate), sum[side]]))
  const lines: RebateLine[] = []
  for (const [index, rebate] of rebates.entries()) {
    const line = 'percent' in rebate ? percentRebate(rebate.percent, goods, side) : assignRebate(rebate, groups, side)
    if (line === 'rebate_invalid') return { refused: line, rebate: index }
    for (const { taxrate, unit } of line.shares) {
      const rest = (left.get(taxrate) ?? 0) + multiply(unit[side], line.quantity)
      if (rest < 0) return { refused: 'rebate_exceeds_total', rebate: index }
      left.set(taxrate, rest)
    }
    lines.push(line)
  }
  return { ...cart, lines: [...cart.lines, ...lines] }
}
