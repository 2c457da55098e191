import type { Client } from '../../clients/record.ts'
import { type BadField, type ErrorWord, Problem } from '../../contract/errors.ts'
import type { OrderedItem } from '../../contract/orders.ts'
import { type Cents, parseMoney } from '../../money.ts'
import type { Counted, Line } from '../record.ts'
import { bottleCount, type PackedItem } from './packages.ts'
import { type References, stockOf } from './references.ts'
import type { Price } from './totals.ts'

/** A line before it is priced: what is sold, at what price each. */
export type Unpriced = Omit<Line, 'net' | 'tax' | 'gross'> & { unit: Price }

type GoodsItem = Extract<OrderedItem, { item_type: 'wine' | 'product' }>

export const refusedItem = (word: ErrorWord, path: string, expected: string): Problem => {
  const field: BadField = { path, rule: word, expected }
  return new Problem(word, { details: `${path} must be ${expected}`, fields: [field] })
}

export const cents = (amount: string): Cents => parseMoney(amount) ?? 0

type Priced = {
  net: string
  gross: string
  taxrate: number
  prices: (Omit<Priced, 'prices'> & { price_range_id: number })[]
}

/** What a record costs this client: the price of its price range, else the record's own. */
const unitPrice = (record: Priced, client: Client | null): { unit: Price; taxrate: number } => {
  const own = client?.price_range_id
    ? record.prices.find(price => price.price_range_id === client.price_range_id)
    : undefined
  const { net, gross, taxrate } = own ?? record
  return { unit: { net: cents(net), gross: cents(gross) }, taxrate }
}

/** How many of each counted item an order takes. */
const takenOf = (items: readonly GoodsItem[], references: References): Map<string, Counted> => {
  const taken = new Map<string, Counted>()
  for (const { item_type: type, item_id: id, quantity } of items) {
    if (stockOf(references, type, id) === undefined) continue
    const name = `${type}#${id}`
    taken.set(name, { type, id, quantity: quantity + (taken.get(name)?.quantity ?? 0) })
  }
  return taken
}

const checkStock = (
  items: readonly OrderedItem[],
  taken: ReadonlyMap<string, Counted>,
  references: References,
): void => {
  for (const [n, item] of items.entries()) {
    if (item.item_type !== 'wine' && item.item_type !== 'product') continue
    const wanted = taken.get(`${item.item_type}#${item.item_id}`)
    const left = stockOf(references, item.item_type, item.item_id) ?? 0
    if (wanted && wanted.quantity > left) {
      throw refusedItem('insufficient_stock', `data.items.${n}.quantity`, `at most ${left} in this order`)
    }
  }
}

const lineOf = (
  item: GoodsItem,
  path: string,
  references: References,
  taken: ReadonlyMap<string, Counted>,
): Unpriced => {
  const { item_type, item_id, quantity } = item
  const record = item_type === 'wine' ? references.wines.get(item_id) : references.products.get(item_id)
  if (!record) throw refusedItem('item_not_found', `${path}.item_id`, `the id of a ${item_type} of this merchant`)
  if (record.nostock || !record.active)
    throw refusedItem('item_unavailable', `${path}.item_id`, `a ${item_type} that is for sale`)
  const left = stockOf(references, item_type, item_id)
  // What the interface shows of stock, as it is after this sale; 0 where it is not counted.
  const shown = left === undefined ? 0 : left - (taken.get(`${item_type}#${item_id}`)?.quantity ?? 0)
  return {
    item_type,
    item_id,
    name: record.name,
    quantity,
    item: { ...record, quantity: shown },
    ...unitPrice(record, references.client),
  }
}

/** The goods of an order, and the stock they take. Throws item_not_found, item_unavailable, insufficient_stock or empty_order. */
export const goodsOf = (
  items: readonly OrderedItem[],
  references: References,
): { lines: Unpriced[]; counted: Counted[] } => {
  const goods = items.flatMap((item, n) =>
    item.item_type === 'wine' || item.item_type === 'product' ? [{ item, path: `data.items.${n}` }] : [],
  )
  if (goods.length === 0) throw new Problem('empty_order')
  const taken = takenOf(
    goods.map(({ item }) => item),
    references,
  )
  const lines = goods.map(({ item, path }) => lineOf(item, path, references, taken))
  checkStock(items, taken, references)
  return { lines, counted: [...taken.values()] }
}

/** How many bottles the goods count for in packing. */
export const bottlesOf = (lines: readonly Unpriced[]): number =>
  bottleCount(
    lines.map(
      ({ item_type, quantity, item }): PackedItem =>
        item_type === 'product'
          ? { item_type, quantity, package_quantity: (item.package_quantity as number | null) ?? null }
          : { item_type: 'wine', quantity },
    ),
  )
