import type { DocumentItem } from '../table/items.ts'
import type { Flag } from '../wines/record.ts'

/** A product's price for one price range; amounts are strings with two decimals. */
export type ProductPrice = {
  price_range_id: number
  priceRangeName: string
  gross: string
  net: string
  tax: string
  taxrate: number
  product_id: number
}

/**
 * What a merchant sells beside wine (the item of a product position, interface document 2.3). Its `quantity` there is
 * the stock, which is kept apart from the record.
 */
export type Product = {
  id: number
  name: string
  articlenumber: string | null
  net: string
  tax: string
  taxrate: number
  gross: string
  description: string | null
  image: string | null
  pdf: string | null
  active: Flag
  nostock: Flag
  nostocktext: string | null
  customers_id: number
  origin_id: number | null
  language: string
  cruser_id: number
  crstamp: string
  chstamp: string
  network: Flag
  internal: Flag
  public: Flag
  shop: Flag
  /** How many bottles one piece counts for in packing. */
  package_quantity: number
  prices: ProductPrice[]
}

/** The record in a product's item. */
export const productOf = ({ doc }: DocumentItem): Product => JSON.parse(doc)
