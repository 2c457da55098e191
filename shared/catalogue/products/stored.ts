import { completeProduct, type Product } from '../../contract/records/product.ts'
import type { RecordItem } from '../../platform/table/items.ts'

/** A product as it is stored: `priced` is 1 if its price was given. No response includes it. */
export type PricedProduct = Product & { priced: 0 | 1 }

/** The stored product in its item. */
export const productOf = ({ doc }: RecordItem): PricedProduct => {
  const stored: Parameters<typeof completeProduct>[0] & { priced?: 0 | 1 } = JSON.parse(doc)
  // Older products had to have a price.
  return { ...completeProduct(stored), priced: stored.priced ?? 1 }
}

/** A product as it is answered. */
export const wireProduct = ({ priced, ...product }: PricedProduct): Product => product
