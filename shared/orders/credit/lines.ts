import type { CountedStock } from '../../catalogue/goods.ts'
import { Problem, validationProblem } from '../../contract/errors.ts'
import type { CreditAdvice } from '../../contract/records/order.ts'
import type { RefundWay } from '../../contract/vocabulary.ts'
import {
  addSums,
  type Cents,
  formatMoney,
  formatSum,
  percentOf,
  type Sum,
  totalCents,
  totalsOf,
} from '../../values/money.ts'
import type { Credit } from '../documents.ts'
import type { Line, OrderRecord, SoldItems } from '../record.ts'
import { positionId, sideOf } from '../view.ts'
import { amountOf, creditBetween, type LineCredit, type RebatedLine, withOff } from './amounts.ts'

/** Pieces to be credited, by position; neither positions nor package: all that is left. */
export type CreditWish = {
  positions?: readonly { id: number; quantity: number }[] | null | undefined
  package?: boolean
  refund: RefundWay
  restock: boolean
  remark: string | null
}

type CreditLine = NonNullable<CreditAdvice['lines']>[number]

/** A line of the invoice: what is credited of it before and after a credit, in pieces. */
type Credited = { id: number; line: Line; cents: RebatedLine; before: number; after: number }

const linesOf = (order: OrderRecord, { positions, package: packageLine }: SoldItems): Credited[] => {
  const lines = [...positions, ...(packageLine ? [packageLine] : [])]
  const taxrates = Object.fromEntries(
    Object.entries(order.header.taxrates).map(([rate, sum]) => [rate, totalsOf(sum)] as const),
  )
  const rebated = withOff(
    lines.map(line => ({ ...totalsOf(line), quantity: line.quantity, taxrate: line.taxrate })),
    taxrates,
    sideOf(order.header),
  )
  const earlier = order.documents.creditAdvices.flatMap(advice => advice.lines ?? [])
  return lines.map((line, n) => {
    const id = positionId(order.header.id, n + 1)
    const before = earlier.reduce((sum, one) => sum + (one.position_id === id ? one.quantity : 0), 0)
    return { id, line, cents: rebated[n] as RebatedLine, before, after: before }
  })
}

const exceeds = (path: string, { line, before }: Credited): Problem => {
  const left = line.quantity - before
  return new Problem('credit_exceeds_invoice', {
    details: `${path}: ${left} of ${line.quantity} ${line.name} are left to credit`,
    fields: [{ path, rule: 'max_value', expected: String(left) }],
  })
}

const unknown = (path: string, expected: string): Problem => validationProblem([{ path, rule: 'position', expected }])

/** The lines with the wished pieces. Throws credit_exceeds_invoice, or validation_failed for a position of another order. */
const withWished = (lines: readonly Credited[], wish: CreditWish): Credited[] => {
  const isAll = !wish.positions && !wish.package
  const wished = new Map<number, number>()
  wish.positions?.forEach(({ id, quantity }, n) => {
    const found = lines.find(one => one.id === id && one.line.item_type !== 'package')
    if (!found) throw unknown(`positions.${n}.id`, 'a position of the order')
    if (found.before + quantity > found.line.quantity) throw exceeds(`positions.${n}.quantity`, found)
    wished.set(id, quantity)
  })
  const packageLine = lines.find(({ line }) => line.item_type === 'package')
  if (wish.package) {
    if (!packageLine) throw unknown('package', 'left out: the order has no package')
    if (packageLine.before > 0) throw exceeds('package', packageLine)
    wished.set(packageLine.id, packageLine.line.quantity)
  }
  return lines.map(one => ({ ...one, after: isAll ? one.line.quantity : one.before + (wished.get(one.id) ?? 0) }))
}

// A package that was free needs no credit.
const isLeft = ({ line }: Credited, credited: number): boolean =>
  credited < line.quantity && (line.item_type !== 'package' || line.gross !== '0.00')

const ratesOf = (parts: readonly { taxrate: number; credit: LineCredit }[]): Credit['taxrates'] =>
  Object.fromEntries(
    [...Map.groupBy(parts, ({ taxrate }) => taxrate)].map(([rate, all]) => [
      String(rate),
      formatSum(addSums(all.map(({ credit }) => amountOf(credit)))),
    ]),
  )

const negative = ({ net, tax, gross }: Sum): Sum => ({ net: 0 - net, tax: 0 - tax, gross: 0 - gross })

/** The amounts of a credit, in the order's own terms. */
const amountsOf = (
  { header, documents }: OrderRecord,
  parts: readonly { line: Line; taxrate: number; credit: LineCredit }[],
) => {
  const total = addSums(parts.map(({ credit }) => amountOf(credit)))
  const goods = formatSum(
    addSums(parts.filter(({ line }) => line.item_type !== 'package').map(({ credit }) => credit.own)),
  )
  const off = formatSum(negative(addSums(parts.map(({ credit }) => credit.off))))
  const before = documents.creditAdvices.reduce((sum, { gross }) => sum + totalCents(gross), 0)
  const afterCashback = (gross: Cents) => gross - percentOf(gross, header.cashback)
  return {
    taxrates: ratesOf(parts),
    ...formatSum(total),
    ...{ item_net: goods.net, item_tax: goods.tax, item_gross: goods.gross },
    rebate: header.rebate,
    ...{ rebate_net: off.net, rebate_tax: off.tax, rebate_gross: off.gross },
    cashback: header.cashback,
    gross_cashback: formatMoney(afterCashback(before + total.gross) - afterCashback(before)),
    cashback_period: header.cashback_period,
  }
}

const creditLine = ({ id, line, before, after }: Credited, { own }: LineCredit): CreditLine => ({
  position_id: id,
  ...{ item_type: line.item_type, item_id: line.item_id, name: line.name, quantity: after - before },
  ...formatSum(own),
  taxrate: line.taxrate,
})

/**
 * The credit of some pieces of an invoiced order, in the invoice's own cents, rebates included. Throws
 * credit_exceeds_invoice with the position of which less is left, or validation_failed for a position it does not have.
 */
export const creditOf = (order: OrderRecord, sold: SoldItems, wish: CreditWish): Credit => {
  const lines = withWished(linesOf(order, sold), wish)
  if (!lines.some(one => isLeft(one, one.before)))
    throw new Problem('credit_exceeds_invoice', { details: 'All of the invoice is credited already.' })
  const parts = lines
    .filter(({ before, after }) => after > before)
    .map(one => ({
      ...one,
      taxrate: one.line.taxrate,
      credit: creditBetween(one.cents, one.before, one.after, sideOf(order.header)),
    }))
  return {
    ...amountsOf(order, parts),
    remark: wish.remark,
    lines: parts.map(one => creditLine(one, one.credit)),
    refund: wish.refund,
    restocked: wish.restock ? 1 : 0,
    isRest: !lines.some(one => isLeft(one, one.after)),
  }
}

/** The credit of all that is left of an order's invoice, for its cancellation. */
export const restOf = (order: OrderRecord, sold: SoldItems): Credit =>
  creditOf(order, sold, { refund: 'none', restock: true, remark: null })

/** The counted stock in the lines of a credit. */
export const restockedBy = (counted: readonly CountedStock[], { lines = [] }: Pick<Credit, 'lines'>): CountedStock[] =>
  counted.flatMap(one => {
    const own = lines.filter(({ item_type, item_id }) => item_type === one.type && item_id === one.id)
    const quantity = own.reduce((sum, line) => sum + line.quantity, 0)
    return quantity > 0 ? { ...one, quantity } : []
  })
