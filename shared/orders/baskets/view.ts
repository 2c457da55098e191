import { goodsKey, stockKey } from '../../catalogue/goods.ts'
import { productOf, wireProduct } from '../../catalogue/products/stored.ts'
import { wineOf, wireWine } from '../../catalogue/wines/stored.ts'
import { highestAge, informationOf } from '../../contract/records/consumer-information.ts'
import type { Product } from '../../contract/records/product.ts'
import { abridgedRecord } from '../../contract/records/size.ts'
import type { Wine } from '../../contract/records/wine.ts'
import type { Basket } from '../../contract/routes/baskets.ts'
import type { BasketItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItemGroups } from '../../platform/table/table.ts'
import { asSoldBy, type PriceTerms, withClientPrice } from '../../values/money.ts'

/**
 * The view of a basket: every item with its present record, stock and price, as an order would bill it to the signed-in
 * client, if any.
 */
export const basketView = async (
  merchant: MerchantId,
  { uuid, items, ordered }: BasketItem,
  client?: PriceTerms,
): Promise<Basket> => {
  const { settings, records, stocks } = await getItemGroups({
    settings: items.length === 0 ? [] : [key('merchant', { merchant })],
    records: items.map(item => goodsKey(merchant, item)),
    stocks: items.map(item => stockKey(merchant, item)),
  })
  const seller = settings[0] ?? {}
  const basketItems = items.map(({ seen: _, ...item }, n) => {
    const record = records[n]
    // 0 where stock is not counted, as in an order.
    const quantity = stocks[n]?.quantity ?? 0
    if (!record) return { ...item, item: null, base_price: null, min_age: null }
    const isWine = item.item_type === 'wine'
    const goods: Wine | Product = isWine ? wireWine(wineOf(record)) : wireProduct(productOf(record))
    const priced = withClientPrice(asSoldBy(seller, goods), client)
    const information = informationOf(priced)
    return { ...item, item: abridgedRecord({ ...priced, ...(isWine && information), quantity }), ...information }
  })
  return { uuid, basketItems, order_uuid: ordered?.uuid ?? null, min_age: highestAge(basketItems) }
}
