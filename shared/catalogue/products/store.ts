import type { Product } from '../../contract/records/product.ts'
import type { ProductFilter } from '../../contract/routes/products.ts'
import { readMerchant } from '../../merchants/settings.ts'
import type { Merchant, ProductItem } from '../../platform/table/items.ts'
import { key, type MerchantId, partition } from '../../platform/table/keys.ts'
import { getItem, query } from '../../platform/table/table.ts'
import { asSoldBy } from '../../values/money.ts'
import { findCategory } from '../categories.ts'
import { isInShop } from '../goods.ts'
import { findNamed, listRecords, type RecordList, type RecordName, unlessMissing, withSegment } from '../records.ts'
import { productOf, wireProduct } from './stored.ts'

type Inshop = { inshop?: 0 | 1 | null | undefined }

const shownFrom = (item: ProductItem, seller: Merchant, { inshop }: Inshop): Product[] => {
  const product = productOf(item)
  if (inshop && !isInShop(product)) return []
  return [withSegment(asSoldBy(seller, wireProduct(product)))]
}

const readAll = async (merchant: MerchantId, asked: Inshop): Promise<Product[]> => {
  const [seller, items] = await Promise.all([readMerchant(merchant), query({ pk: partition('product', { merchant }) })])
  return items.flatMap(item => shownFrom(item, seller, asked))
}

/**
 * Reads a product; with `inshop` only a product that the shop sells. Throws missing_identifier, identifier_conflict or
 * product_not_found.
 */
export const findProduct = (merchant: MerchantId, asked: RecordName & Inshop): Promise<Product> =>
  findNamed(asked, {
    missing: 'product_not_found',
    one: async id => {
      const [seller, item] = await Promise.all([readMerchant(merchant), getItem(key('product', { merchant, id }))])
      return item && shownFrom(item, seller, asked)[0]
    },
    all: () => readAll(merchant, asked),
  })

/** The id of the category in a filter's `tags`: null if it does not exist, undefined without tags. */
const tagIdOf = async (merchant: MerchantId, { tags }: ProductFilter): Promise<number | null | undefined> => {
  if (!tags?.id && !tags?.path_segment) return undefined
  if (tags.id && !tags.path_segment) return tags.id
  return (await findCategory(merchant, tags).catch(unlessMissing))?.id ?? null
}

/** Lists the products that pass a filter; with `inshop` those that the shop sells. */
export const listProducts = async (
  merchant: MerchantId,
  asked: RecordList<Product> & Inshop & { filter: ProductFilter },
) => {
  const [category, all] = await Promise.all([tagIdOf(merchant, asked.filter), readAll(merchant, asked)])
  const { tags, ...equal } = asked.filter
  const passing = all.filter(
    product =>
      (category === undefined || (category !== null && product.categoryIds.includes(category))) &&
      Object.entries(equal).every(([field, value]) => product[field as keyof typeof equal] === value),
  )
  return listRecords(passing, asked)
}
