import { completeProduct, type Product } from '../../contract/records/product.ts'
import type { DocumentItem } from '../../platform/table/items.ts'

/** The record in a product's item. */
export const productOf = ({ doc }: DocumentItem): Product => completeProduct(JSON.parse(doc))
