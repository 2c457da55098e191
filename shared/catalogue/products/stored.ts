import { completeProduct, type Product } from '../../contract/records/product.ts'
import type { RecordItem } from '../../platform/table/items.ts'

/** The record in a product's item. */
export const productOf = ({ doc }: RecordItem): Product => completeProduct(JSON.parse(doc))
