import { type BadField, maxFields, Problem, validationProblem } from '../../contract/errors.ts'
import type { Rebate } from '../../contract/records/order.ts'
import type { Package } from '../../contract/records/package.ts'
import type { NewOrder, OrderedItem } from '../../contract/routes/orders.ts'
import { type Cents, formatMoney, formatSum, noSum, paysNoTax } from '../../values/money.ts'
import type { Line, SoldItems } from '../record.ts'
import { bottlesOf, shippingFor, shippingLine } from '../shipping/cost.ts'
import { goodsOf, itemProblem, recordOf, type UnpricedLine } from './order-lines.ts'
import { type RebateRequest, withRebates } from './rebates.ts'
import type { References } from './references.ts'
import { type Cart, cartTotals, checkClaim, inRange, type Totals } from './totals.ts'

export type PricedOrder = { sold: SoldItems; rebates: Rebate[]; totals: Totals }

/** An ordered item; `seen` is the gross price when it was put into its basket. */
export type PricedItem = OrderedItem & { seen?: string | undefined }

type RebateItem = Extract<OrderedItem, { item_type: 'rebate' }>

const cartOf = (lines: readonly UnpricedLine[], data: NewOrder, { merchant, client }: References): Cart => ({
  lines: lines.map(({ item_type, quantity, taxrate, unit }) => ({
    kind: item_type === 'package' ? 'package' : 'goods',
    quantity,
    taxrate,
    unit,
  })),
  mode: data.invoice_type,
  taxFree: paysNoTax(merchant, client),
  cashback: client?.cashback ?? 0,
})

/** The package that the order names. Throws item_not_found, or validation_failed for a second package. */
const namedPackage = (items: readonly OrderedItem[], { packages }: References): Package | undefined => {
  const [first, second] = items.flatMap((item, n) => (item.item_type === 'package' ? [{ id: item.item_id, n }] : []))
  if (second) {
    const rule = { rule: 'single_package', expected: 'left out: an order has at most one package' }
    throw validationProblem([{ path: `data.items.${second.n}`, ...rule }])
  }
  if (!first) return undefined
  const found = packages.find(({ id }) => id === first.id)
  if (found) return found
  throw itemProblem('item_not_found', `data.items.${first.n}.item_id`, 'the id of a package of this merchant')
}

/** The line of the named package, else of those that the bottles need; undefined if the goods are collected. */
const shippingOf = (
  items: readonly OrderedItem[],
  goods: readonly UnpricedLine[],
  goodsGross: Cents,
  references: References,
): UnpricedLine | undefined => {
  const named = namedPackage(items, references)
  if (!references.delivery) return undefined
  const shipment = { merchant: references.merchant, bottles: bottlesOf(goods), goodsGross }
  return named ? shippingLine({ chosen: named, quantity: 1 }, shipment) : shippingFor(references.packages, shipment)
}

const claimOf = ({ net, tax, gross, quantity }: RebateItem): RebateRequest => ({ net, tax, gross, quantity })

const withAllRebates = (cart: Cart, items: readonly OrderedItem[], percent: number): Cart => {
  const places = items.flatMap((item, n) => (item.item_type === 'rebate' ? [n] : []))
  const claims = items.filter(item => item.item_type === 'rebate')
  const agreed: RebateRequest[] = percent > 0 ? [{ percent }] : []
  const rebated = withRebates(cart, [...agreed, ...claims.map(claimOf)])
  if (!('refused' in rebated)) return rebated
  const { refused, rebate } = rebated
  const place = places[rebate - agreed.length]
  const expected =
    refused === 'rebate_invalid'
      ? 'a rebate whose amounts add up and match a tax rate of the order'
      : 'a rebate of at most the remaining value of the goods'
  if (place !== undefined) throw itemProblem(refused, `data.items.${place}`, expected)
  throw new Problem(refused, { details: `The client's rebate of ${percent} % cannot be applied to this order.` })
}

/** Items whose price has changed since they were put into the basket. */
const changedPrices = (items: readonly PricedItem[], references: References): BadField[] =>
  items.flatMap((item, n) => {
    if (item.item_type !== 'wine' && item.item_type !== 'product') return []
    const { item_type, item_id, seen } = item
    // Stryker disable next-line OptionalChaining: What is not there was refused before; the types do not know.
    const now = recordOf(item_type, item_id, references)?.gross
    // Stryker disable next-line ConditionalExpression: Missing records were refused before; the types do not know.
    if (now === undefined) return []
    if (seen === undefined || seen === now) return []
    return [{ path: `data.items.${n}`, rule: 'price_changed', expected: now, item_type, item_id }]
  })

const checkTotals = (data: NewOrder, { total }: Totals, cart: Cart, changed: () => readonly BadField[]): void => {
  const claim = { net: data.net ?? undefined, tax: data.tax ?? undefined, gross: data.gross ?? undefined }
  const quantity = cart.lines.reduce((sum, line) => sum + line.quantity, 0)
  const mismatches = checkClaim(claim, total, data.invoice_type, cart.lines.length, quantity)
  if (mismatches.length === 0) return
  const amounts = formatSum(total)
  throw new Problem('price_mismatch', {
    details: `The calculated totals are net ${amounts.net}, tax ${amounts.tax}, gross ${amounts.gross}.`,
    german: `Die Bestellung kostet jetzt ${amounts.gross} brutto (netto ${amounts.net}, Steuer ${amounts.tax}).`,
    fields: [
      ...mismatches.map(({ field, expected }) => ({
        path: `data.${field}`,
        rule: 'mismatch',
        expected: formatMoney(expected),
      })),
      ...changed(),
    ].slice(0, maxFields),
  })
}

// 9,999 bottles of a wine that costs millions leave the range in which cents are exact.
const tooLarge = () =>
  new Problem('price_mismatch', {
    details: 'The total of the order is too large.',
    german: 'Der Betrag der Bestellung ist zu groß.',
  })

const price = (data: NewOrder, items: readonly PricedItem[], references: References, inshop: boolean): PricedOrder => {
  const { client } = references
  const goods = goodsOf(items, references, inshop)
  const goodsGross = cartTotals(cartOf(goods, data, references)).item.gross
  const shipping = shippingOf(items, goods, goodsGross, references)
  const lines = shipping ? [...goods, shipping] : goods
  const claims = items.filter(item => item.item_type === 'rebate')
  const percent = client?.rebate ?? 0
  const cart = withAllRebates(cartOf(lines, data, references), items, percent)
  const priced = cartTotals(cart)
  checkTotals(data, priced, cart, () => changedPrices(items, references))
  const sum = (n: number) => formatSum(priced.lines[n] ?? noSum)
  const sold = lines.map(
    ({ unit, taxrate, ...line }, n): Line => ({ ...line, ...sum(n), taxrate: cart.taxFree ? 0 : taxrate }),
  )
  const names = [...(percent > 0 ? [`Rabatt ${percent} %`] : []), ...claims.map(({ name }) => name)]
  return {
    sold: { positions: sold.slice(0, goods.length), package: sold[goods.length] ?? null },
    rebates: names.map((name, n) => ({
      name,
      ...sum(lines.length + n),
      // Stryker disable next-line OptionalChaining: There is a line for every rebate; the types do not know.
      quantity: cart.lines[lines.length + n]?.quantity ?? 1,
    })),
    totals: priced,
  }
}

/**
 * Prices an order from the catalogue; with `inshop` only goods that the shop shows are sold. Throws the refusals over items,
 * stock, rebates and totals.
 */
export const priceOrder = (
  data: NewOrder,
  items: readonly PricedItem[],
  references: References,
  inshop = false,
): PricedOrder => inRange(() => price(data, items, references, inshop), tooLarge)
