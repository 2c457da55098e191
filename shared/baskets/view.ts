import type { Basket, StoredBasketItem } from '../contract/baskets.ts'
import { productOf } from '../products/record.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { getItems } from '../table/table.ts'
import { wineOf, wireWine } from '../wines/item.ts'
import { recordKey, type StoredBasket } from './store.ts'

const stockKey = (merchant: MerchantId, { item_type: type, item_id: id }: StoredBasketItem) =>
  key('stock', { merchant, type, id })

/** A basket as it is answered: every item with its record, price and stock of this moment. */
export const basketView = async (merchant: MerchantId, { uuid, items, ordered }: StoredBasket): Promise<Basket> => {
  const found = await getItems<{ quantity?: number }>([
    ...items.map(item => recordKey(merchant, item)),
    ...items.map(item => stockKey(merchant, item)),
  ])
  const basketItems = items.map((item, n) => {
    const record = found[n]
    const read = item.item_type === 'product' ? productOf : (one: object) => wireWine(wineOf(one))
    // 0 where stock is not counted, as in an order.
    const quantity = found[items.length + n]?.quantity ?? 0
    return { ...item, item: record ? { ...read(record), quantity } : null }
  })
  return { uuid, basketItems, order_uuid: ordered?.uuid ?? null }
}
