import { Problem, validationProblem } from '../contract/errors.ts'
import type { Stock } from '../contract/routes/stocks.ts'
import { type Page, type WholePaging, wholePage } from '../contract/schema/lists.ts'
import { type GoodsType, maxPieces } from '../contract/vocabulary.ts'
import { earlierUse, type Keyed, useActions } from '../merchants/idempotency.ts'
import { retry, TransactionRefused } from '../platform/table/failures.ts'
import type { StockItem } from '../platform/table/items.ts'
import { key, lastNumber, type MerchantId, partition, sortKeyPrefix } from '../platform/table/keys.ts'
import { getItem, getItemGroups, getItems, queryEntries } from '../platform/table/table.ts'
import { type Action, put, remove, transact, update } from '../platform/table/transact.ts'
import { goodsKey, itemMissing, itemsProblem, stockKey } from './goods.ts'

/** Counted stocks by the ids of wines or products; an article without an entry is not counted. */
export type Stocks = ReadonlyMap<number, number>

/** Reads the stocks of a merchant's wines or products. */
export const readStocks = async (merchant: MerchantId, type: GoodsType): Promise<Stocks> => {
  const entries = await queryEntries({ pk: partition('stock', { merchant }), prefix: sortKeyPrefix('stock', { type }) })
  return new Map(entries.map(({ sk, item }) => [lastNumber(sk), item.quantity]))
}

/** Sets the stock of a wine or product; null stops counting it. */
export const stockAction = (merchant: MerchantId, type: GoodsType, id: number, quantity: number | null): Action => {
  const name = `stock of ${type} ${id}`
  const place = key('stock', { merchant, type, id })
  return quantity === null ? remove(name, place) : put(name, place, { quantity })
}

type Goods = Pick<Stock, 'item_type' | 'item_id'>

const rowOf = ({ item_type, item_id }: Goods, item: StockItem | undefined): Stock => ({
  item_type,
  item_id,
  stock: item?.quantity ?? null,
})

const allStocks = async (merchant: MerchantId): Promise<Stock[]> => {
  const rows = (['wine', 'product'] as const).map(async item_type =>
    [...(await readStocks(merchant, item_type))].map(([item_id, stock]) => ({ item_type, item_id, stock })),
  )
  return (await Promise.all(rows)).flat()
}

const stocksOf = async (merchant: MerchantId, items: readonly Goods[]): Promise<Stock[]> => {
  const { goods, stocks } = await getItemGroups({
    goods: items.map(one => goodsKey(merchant, one)),
    stocks: items.map(one => stockKey(merchant, one)),
  })
  const faults = items.flatMap((one, n) => (goods[n] ? [] : [itemMissing(`items.${n}.item_id`, one)]))
  if (faults.length > 0) throw itemsProblem(faults)
  return items.map((one, n) => rowOf(one, stocks[n]))
}

type StockList = WholePaging & { items?: readonly Goods[] | null | undefined }

/** Lists the stock of some goods, or of all whose stock is counted. Throws item_not_found. */
export const getStocks = async (merchant: MerchantId, { items, ...paging }: StockList): Promise<Page<Stock>> =>
  wholePage(await (items ? stocksOf(merchant, items) : allStocks(merchant)), paging)

/** A change of a stock: by a difference, or to a number of pieces (null stops counting them). */
export type StockChange = Goods & { quantity?: number | null | undefined; stock?: number | null | undefined }

const changeAction = (merchant: MerchantId, change: StockChange): Action => {
  const { item_type, item_id, quantity, stock } = change
  if (stock !== undefined) return stockAction(merchant, item_type, item_id, stock)
  const added = quantity ?? 0
  return update('stock', stockKey(merchant, change), { add: { quantity: added } }, [
    // An import may have set more than the maximum: pieces are taken from that, too.
    added > 0
      ? { attribute: 'quantity', is: '<=', value: maxPieces - added }
      : { attribute: 'quantity', is: '>=', value: -added },
  ])
}

const tooMany = { path: 'quantity', rule: 'max_stock', expected: `small enough for a stock of at most ${maxPieces}` }

const refusalOf = ({ quantity }: StockChange, { stock }: Stock): Problem => {
  if (stock === null) return new Problem('stock_not_counted')
  if (Number(quantity) > 0) return validationProblem([tooMany])
  return new Problem('insufficient_stock', { details: `Only ${stock} pieces are left.` })
}

/**
 * Changes the stock of goods and returns the new stock; a repeat with the same Idempotency-Key changes nothing more.
 * Throws item_not_found, stock_not_counted, insufficient_stock, validation_failed or idempotency_key_reused.
 */
export const changeStock = async (
  merchant: MerchantId,
  keyed: Keyed<StockChange>,
): Promise<Stock & { replayed: boolean }> => {
  const { change } = keyed
  const [[goods], used] = await Promise.all([getItems([goodsKey(merchant, change)]), earlierUse(merchant, keyed)])
  if (!goods) throw itemsProblem([itemMissing('item_id', change)])
  const now = async () => rowOf(change, await getItem(stockKey(merchant, change)))
  if (used) return { ...(await now()), replayed: true }
  try {
    await retry(
      () => transact([changeAction(merchant, change), ...useActions(merchant, keyed)]),
      error => error.contended,
    )
    return { ...(await now()), replayed: false }
  } catch (error) {
    if (!(error instanceof TransactionRefused) || error.contended) throw error
    if (error.hasFailed('idempotency') && (await earlierUse(merchant, keyed)))
      return { ...(await now()), replayed: true }
    throw refusalOf(change, await now())
  }
}
