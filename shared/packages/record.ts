/** The words of `type`: what a package is chosen by. */
export const packageTypes = ['bottles'] as const

/** A word of `type`. */
export type PackageType = (typeof packageTypes)[number]

/**
 * What sending an order costs (the item of a package position, interface document 2.3); null leaves an end of a range
 * open. Amounts are strings with two decimals.
 */
export type Package = {
  id: number
  type: PackageType
  min_bottles: number | null
  max_bottles: number | null
  min_weight: number | null
  max_weight: number | null
  gross: string
  net: string
  tax: string
  taxrate: number
  customers_id: number
}
