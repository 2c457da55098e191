import type { GoodsType } from '../../../shared/contract/vocabulary.ts'
import { key, lastNumber, type MerchantId, partition, sortKeyPrefix } from '../../../shared/platform/table/keys.ts'
import { queryEntries } from '../../../shared/platform/table/table.ts'
import { type Action, put, remove } from '../../../shared/platform/table/transact.ts'

/** Counted stocks by the ids of wines or products; what is missing is not counted. */
export type Stocks = ReadonlyMap<number, number>

/** Reads the stocks of a merchant's wines or products. */
export const readStocks = async (merchant: MerchantId, type: GoodsType): Promise<Stocks> => {
  const entries = await queryEntries({ pk: partition('stock', { merchant }), prefix: sortKeyPrefix('stock', { type }) })
  return new Map(entries.map(({ sk, item }) => [lastNumber(sk), item.quantity]))
}

/** Sets the stock of a wine or product; null ends counting it. */
export const stockAction = (merchant: MerchantId, type: GoodsType, id: number, quantity: number | null): Action => {
  const name = `stock of ${type} ${id}`
  const place = key('stock', { merchant, type, id })
  return quantity === null ? remove(name, place) : put(name, place, { quantity })
}
