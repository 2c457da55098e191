import { readProducts } from '../../shared/catalogue/products/edit.ts'
import { stockAction } from '../../shared/catalogue/stock.ts'
import type { Product } from '../../shared/contract/records/product.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import type { GoodsType } from '../../shared/contract/vocabulary.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'
import { transact } from '../../shared/platform/table/transact.ts'
import { readCatalogue } from './imports/wine-catalogue.ts'
import { Refused } from './merchants.ts'

type Goods = Pick<Wine & Product, 'id' | 'name' | 'articlenumber' | 'origin_id' | 'image'>

/** The wines or products of a merchant, without translations: these share the article number and the stock of their original. */
export const originalsOf = async (merchant: MerchantId, type: GoodsType): Promise<Goods[]> => {
  const goods = type === 'wine' ? (await readCatalogue(merchant)).wines : await readProducts(merchant)
  return goods.filter(one => one.origin_id === null)
}

/** Reads a stock: a whole number, or null (not counted) for `none`. Throws Refused. */
export const readQuantity = (text: string): number | null => {
  if (text === 'none') return null
  const quantity = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(quantity)) {
    throw new Refused('the quantity must be a whole number of 0 or more, or none for not counted')
  }
  return quantity
}

/**
 * Sets the stock of the wine or product with an article number; returns its name. Throws Refused if there is no such
 * article.
 */
export const setStock = async (
  merchant: MerchantId,
  type: GoodsType,
  articlenumber: string,
  quantity: number | null,
): Promise<string> => {
  const found = (await originalsOf(merchant, type)).filter(one => one.articlenumber === articlenumber)
  const [one] = found
  if (!one) throw new Refused(`there is no ${type} with the article number ${articlenumber}`)
  if (found.length > 1) throw new Refused(`several ${type}s have the article number ${articlenumber}`)
  await transact([stockAction(merchant, type, one.id, quantity)])
  return one.name
}
