import type { Client } from '../clients/record.ts'
import { type BadField, Problem } from '../contract/errors.ts'
import type { NewOrder, Rebate } from '../contract/orders.ts'
import { formatMoney, formatSum, parseMoney, type Side } from '../money.ts'
import type { Wine } from '../wines/record.ts'
import { withRebates } from './rebates.ts'
import type { Line, Sold } from './record.ts'
import type { References } from './references.ts'
import { type Cart, checkClaim, type Price, type Totals, totals } from './totals.ts'

/** A priced order: what is sold, the rebates, and the sums as the interface spells them. */
export type Priced = { sold: Sold; rebates: Rebate[]; totals: Totals }

type Goods = Omit<Line, 'net' | 'tax' | 'gross'> & { unit: Price }

const refusedItem = (word: 'item_not_found' | 'item_unavailable', n: number, expected: string) => {
  const field: BadField = { path: `data.items.${n}.item_id`, rule: word, expected }
  return new Problem(word, { details: `${field.path} must be ${expected}`, fields: [field] })
}

const cents = (amount: string) => parseMoney(amount) ?? 0

/** What a wine costs this client: the price of its price range, else the wine's own. */
const unitPrice = (wine: Wine, client: Client | null) => {
  const own = wine.prices.find(price => price.price_range_id === client?.price_range_id)
  const { net, gross, taxrate } = own ?? wine
  return { unit: { net: cents(net), gross: cents(gross) }, taxrate }
}

const goodsOf = (data: NewOrder, { wines, client }: References): Goods[] =>
  data.items.map(({ item_id, quantity }, n) => {
    const wine = wines.get(item_id)
    if (!wine) throw refusedItem('item_not_found', n, 'the id of a wine of this merchant')
    if (wine.nostock || !wine.active) throw refusedItem('item_unavailable', n, 'a wine that is for sale')
    // Stock is not counted for this wine: the interface shows 0 then.
    const item = { ...wine, quantity: 0 }
    return { item_type: 'wine', item_id, name: wine.name, quantity, item, ...unitPrice(wine, client) }
  })

const cartOf = (goods: readonly Goods[], data: NewOrder, client: Client | null): Cart => {
  const lines = goods.map(({ quantity, taxrate, unit }) => ({ kind: 'goods' as const, quantity, taxrate, unit }))
  const taxFree = client?.tax_free === 1
  const cart: Cart = { lines, mode: data.invoice_type, taxFree, cashback: client?.cashback ?? 0 }
  const rebated = client?.rebate ? withRebates(cart, [{ percent: client.rebate }]) : cart
  if ('refused' in rebated) throw new Problem(rebated.refused)
  return rebated
}

const checkTotals = (data: NewOrder, { total }: Totals, cart: Cart): void => {
  const claim = Object.fromEntries(
    (['net', 'tax', 'gross'] as const).flatMap(field => (data[field] == null ? [] : [[field, data[field]]])),
  )
  const quantity = cart.lines.reduce((sum, line) => sum + line.quantity, 0)
  const mismatches = checkClaim(claim, total, data.invoice_type satisfies Side, cart.lines.length, quantity)
  if (mismatches.length === 0) return
  const fields = mismatches.map(({ field, expected }) => ({
    path: `data.${field}`,
    rule: 'mismatch',
    expected: formatMoney(expected),
  }))
  const amounts = formatSum(total)
  throw new Problem('price_mismatch', {
    details: `The order comes to net ${amounts.net}, tax ${amounts.tax}, gross ${amounts.gross}.`,
    fields,
  })
}

/** Prices an order from the catalogue. Throws empty_order, item_not_found, item_unavailable or price_mismatch. */
export const priceOrder = (data: NewOrder, references: References): Priced => {
  if (data.items.length === 0) throw new Problem('empty_order')
  const { client } = references
  const goods = goodsOf(data, references)
  const cart = cartOf(goods, data, client)
  const priced = totals(cart)
  checkTotals(data, priced, cart)
  const sum = (n: number) => formatSum(priced.lines[n] ?? { net: 0, tax: 0, gross: 0 })
  const positions = goods.map(({ unit, taxrate, ...line }, n) => ({
    ...line,
    ...sum(n),
    taxrate: cart.taxFree ? 0 : taxrate,
  }))
  const rebates = cart.lines.slice(goods.length).map((line, n) => ({
    name: `Rabatt ${client?.rebate} %`,
    ...sum(goods.length + n),
    quantity: line.quantity,
  }))
  return { sold: { positions, package: null }, rebates, totals: priced }
}
