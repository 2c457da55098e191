import { key, type MerchantId, partition } from '../../../shared/table/keys.ts'
import { query } from '../../../shared/table/table.ts'
import type { Action } from '../../../shared/table/transact.ts'

/** Reads all records of one kind that are kept as plain attributes, by id. */
export const readPlain = async <T extends object>(
  merchant: MerchantId,
  shape: 'client' | 'priceRange' | 'category' | 'winery',
): Promise<T[]> => {
  const items = await query<Record<string, unknown>>({ pk: partition(shape, { merchant }) })
  return items.map(({ pk, sk, ...record }) => record as T)
}

/** What stock is counted of. */
export type StockType = 'wine' | 'product'

/** Reads the counted stocks of a merchant's wines or products, by id. */
export const readStocks = async (merchant: MerchantId, type: StockType): Promise<Map<number, number | null>> => {
  const items = await query<{ quantity: number }>({ pk: partition('stock', { merchant }), prefix: `${type}#` })
  return new Map(items.map(({ sk, quantity }) => [Number(sk.slice(type.length + 1)), quantity]))
}

/** Sets the stock of a wine or product; null ends counting it. */
export const stockAction = (merchant: MerchantId, type: StockType, id: number, quantity: number | null): Action => {
  const place = { name: `stock of ${type} ${id}`, key: key('stock', { merchant, type, id }) }
  return quantity === null ? { ...place, remove: true } : { ...place, put: { quantity } }
}
