import { type CountedStock, type ItemFault, itemMissing, itemsProblem, notForSale } from '../../catalogue/goods.ts'
import { type PricedProduct, wireProduct } from '../../catalogue/products/stored.ts'
import { type StoredWine, wireWine } from '../../catalogue/wines/stored.ts'
import { type ErrorWord, fieldsProblem, Problem } from '../../contract/errors.ts'
import type { Client } from '../../contract/records/client.ts'
import { abridgedRecord } from '../../contract/records/size.ts'
import type { OrderedItem } from '../../contract/routes/orders.ts'
import type { GoodsType } from '../../contract/vocabulary.ts'
import { agreedPrice, parseMoney } from '../../values/money.ts'
import type { Line } from '../record.ts'
import type { References, Stock } from './references.ts'
import type { Price } from './totals.ts'

/** A line with its unit price, before its totals. */
export type UnpricedLine = Omit<Line, 'net' | 'tax' | 'gross'> & { unit: Price }

type GoodsItem = Extract<OrderedItem, { item_type: GoodsType }>

export const itemProblem = (word: ErrorWord, path: string, expected: string): Problem =>
  fieldsProblem(word, [{ path, rule: word, expected }])

/** The unit price of a stored record, in cents. Throws price_inconsistent for a malformed amount: 0 would give the goods away. */
export const unitPrice = ({ net, gross }: { net: string; gross: string }, path: string): Price => {
  const price = { net: parseMoney(net), gross: parseMoney(gross) }
  if (price.net === undefined || price.gross === undefined) {
    throw itemProblem('price_inconsistent', path, 'a record whose prices are amounts such as "12.50"')
  }
  return { net: price.net, gross: price.gross }
}

export const recordOf = (
  type: GoodsType,
  id: number,
  { wines, products }: References,
): StoredWine | PricedProduct | undefined => (type === 'wine' ? wines.get(id) : products.get(id))

type PricedRecord = {
  net: string
  gross: string
  taxrate: number
  prices: (Omit<PricedRecord, 'prices'> & { price_range_id: number })[]
}

/** The price of the client's price range, else the record's own. */
const priceFor = (record: PricedRecord, client: Client | null): Omit<PricedRecord, 'prices'> =>
  (client && agreedPrice(record, client)) ?? record

/** The counted stock that an order takes. */
export const takenOf = (
  items: readonly Pick<Line, 'item_type' | 'item_id' | 'quantity'>[],
  stock: Stock,
): CountedStock[] => {
  const taken = new Map<string, CountedStock>()
  for (const { item_type: type, item_id: id, quantity } of items) {
    if (type === 'package' || !stock[type].has(id)) continue
    const name = `${type}#${id}`
    taken.set(name, { type, id, quantity: quantity + (taken.get(name)?.quantity ?? 0) })
  }
  return [...taken.values()]
}

const faultOf = (
  { item_type, item_id }: GoodsItem,
  path: string,
  references: References,
  taken: readonly CountedStock[],
  inshop: boolean,
): ItemFault | undefined => {
  const record = recordOf(item_type, item_id, references)
  if (!record) return itemMissing(`${path}.item_id`, { item_type, item_id })
  const fault = notForSale(record, { item_type, item_id }, `${path}.item_id`, inshop)
  if (fault) return fault
  const wanted = taken.find(({ type, id }) => type === item_type && id === item_id)
  const left = references.stock[item_type].get(item_id) ?? 0
  if (wanted && wanted.quantity > left) {
    const expected = `at most ${left} in this order`
    return { word: 'insufficient_stock', path: `${path}.quantity`, expected, item_type, item_id, name: record.name }
  }
  return undefined
}

/**
 * The part of a record that an order stores: without other languages, and abridged to what an answer can hold. The stock that
 * is left is known when the order is written.
 */
const soldRecord = (record: StoredWine | PricedProduct): Line['item'] => {
  const shown = 'translations' in record ? { ...wireWine(record), translations: [] } : wireProduct(record)
  return abridgedRecord({ ...shown, quantity: 0 })
}

const lineOf = (item: GoodsItem, path: string, references: References): UnpricedLine => {
  const { item_type, item_id, quantity } = item
  const record = recordOf(item_type, item_id, references)
  // Stryker disable next-line ConditionalExpression: What is not there was refused before; the types do not know.
  if (!record) throw new Error('an item that is not there passed its check')
  const { taxrate, ...price } = priceFor(record, references.client)
  return {
    item_type,
    item_id,
    name: record.name,
    quantity,
    item: soldRecord(record),
    taxrate,
    unit: unitPrice(price, `${path}.item_id`),
  }
}

/**
 * The lines of an order's goods; with `inshop` only goods that the shop shows are sold. Throws empty_order, or item_not_found,
 * item_unavailable or insufficient_stock with a field for every such item.
 */
export const goodsOf = (items: readonly OrderedItem[], references: References, inshop: boolean): UnpricedLine[] => {
  const goods = items.flatMap((item, n) =>
    item.item_type === 'wine' || item.item_type === 'product' ? [{ item, path: `data.items.${n}` }] : [],
  )
  if (goods.length === 0) throw new Problem('empty_order')
  const taken = takenOf(
    goods.map(({ item }) => item),
    references.stock,
  )
  const faults = goods.flatMap(({ item, path }) => faultOf(item, path, references, taken, inshop) ?? [])
  if (faults.length > 0) throw itemsProblem(faults)
  return goods.map(({ item, path }) => lineOf(item, path, references))
}
