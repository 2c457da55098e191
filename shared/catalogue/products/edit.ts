import { Problem } from '../../contract/errors.ts'
import { completeProduct, type NewProduct, type Product, type ProductChange } from '../../contract/records/product.ts'
import { checkSize } from '../../contract/records/size.ts'
import { givenOnly } from '../../contract/schema/fields.ts'
import type { Keyed } from '../../merchants/idempotency.ts'
import { checkRoom } from '../../merchants/quotas.ts'
import { absent, equals } from '../../platform/table/expressions.ts'
import { key, type MerchantId, partition } from '../../platform/table/keys.ts'
import { getItemGroups, query } from '../../platform/table/table.ts'
import { type Action, put } from '../../platform/table/transact.ts'
import { asSoldBy, type TaxFree } from '../../values/money.ts'
import { timeOrderedId, timestamp } from '../../values/time.ts'
import { checkLists, type GivenPrices, namesIn, pricesAfter, referenceKeys, typedPrices } from '../goods-data.ts'
import { type Added, addRecord, type Change, changeRecords } from '../record-versions.ts'
import { withSegment } from '../records.ts'
import { checkSegment, segmentPicker } from '../segments.ts'
import { findProduct } from './store.ts'
import { type PricedProduct, productOf, wireProduct } from './stored.ts'

/** A product with the version of its item. */
export type StoredProduct = PricedProduct & { version: number }

/** Reads a merchant's products, with the path_segments that they show, ordered by id. */
export const readProducts = async (merchant: MerchantId): Promise<StoredProduct[]> => {
  const items = await query({ pk: partition('product', { merchant }) })
  return items.map(item => ({ ...withSegment(productOf(item)), version: item.version }))
}

/** Writes a product; `before` is the version of its item, null for a new product. */
export const productAction = (merchant: MerchantId, before: number | null, product: PricedProduct): Action =>
  put(
    `product ${product.id}`,
    key('product', { merchant, id: product.id }),
    { doc: JSON.stringify(product), version: (before ?? 0) + 1 },
    { when: [before === null ? absent : equals('version', before)] },
  )

type ProductIdentity = Pick<Product, 'id' | 'customers_id'> & { cruser_id?: number; now: string }

/** A new product without a name and a price. */
export const blankProduct = ({ now, ...identity }: ProductIdentity): Product =>
  completeProduct({ ...identity, name: '', crstamp: now, chstamp: now })

type Data = Omit<ProductChange, 'prices'> & GivenPrices

/** The product with the given fields; others stay. `names` has the names of price ranges by id. Throws price_inconsistent. */
export const withData = (
  product: Product & { priced?: 0 | 1 },
  data: Data,
  names: ReadonlyMap<number, string>,
): PricedProduct => {
  const { prices, priced, ...sale } = pricesAfter(product, data, names, `product ${product.id}`)
  const changed = completeProduct({
    ...product,
    ...givenOnly(data),
    ...sale,
    prices: prices.map(one => ({ ...one, product_id: product.id })),
  })
  return { ...changed, priced }
}

/** The change of a product by a request, where `others` are those whose path_segments it may meet. */
const changeOf = (
  merchant: MerchantId,
  { before, product }: { before: number | null; product: Product & { priced?: 0 | 1 } },
  data: ProductChange,
  found: Parameters<typeof namesIn>[0] & { seller: readonly (TaxFree | undefined)[] },
  others: readonly Product[],
): Change<Product> => {
  checkLists(data)
  checkSegment('product', data, others)
  const [seller = {}] = found.seller
  const changed = withData(product, typedPrices(seller, data), namesIn(found))
  const after = { ...changed, path_segment: segmentPicker(others)(changed), chstamp: timestamp(Date.now()) }
  const result = wireProduct(after)
  checkSize(result, data, before === null ? null : product)
  return { actions: [productAction(merchant, before, after)], result: asSoldBy(seller, result) }
}

/**
 * Adds a product, once by its Idempotency-Key. Throws reference_not_found, price_inconsistent, slug_taken, quota_exceeded,
 * validation_failed or idempotency_key_reused.
 */
export const addProduct = (
  merchant: MerchantId,
  cruser_id: number,
  keyed: Keyed<NewProduct>,
): Promise<Added<Product>> => {
  const { change: data } = keyed
  return addRecord(merchant, 'products', keyed, {
    read: id => findProduct(merchant, { id }),
    add: async () => {
      const [found, others] = await Promise.all([
        getItemGroups({ seller: [key('merchant', { merchant })], ...referenceKeys(merchant, data) }),
        readProducts(merchant),
      ])
      await checkRoom(merchant, 'products', others)
      const identity = { id: timeOrderedId(), customers_id: merchant, cruser_id, now: timestamp(Date.now()) }
      return changeOf(merchant, { before: null, product: blankProduct(identity) }, data, found, others)
    },
  })
}

/**
 * Changes the given fields of a product. Throws product_not_found, nothing_to_change, reference_not_found,
 * price_inconsistent, slug_taken or validation_failed.
 */
export const editProduct = (merchant: MerchantId, id: number, data: ProductChange): Promise<Product> => {
  if (Object.keys(data).length === 0) throw new Problem('nothing_to_change')
  return changeRecords(merchant, 'products', async () => {
    const found = await getItemGroups({
      product: [key('product', { merchant, id })],
      seller: [key('merchant', { merchant })],
      ...referenceKeys(merchant, data),
    })
    const [item] = found.product
    if (!item) throw new Problem('product_not_found')
    const product = withSegment(productOf(item))
    // Its own path_segment stays, and needs no look at the others.
    const others = data.path_segment ? (await readProducts(merchant)).filter(one => one.id !== id) : []
    return changeOf(merchant, { before: item.version, product }, data, found, others)
  })
}
