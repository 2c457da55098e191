import type { Package } from '../../contract/records/package.ts'
import type { Merchant } from '../../platform/table/items.ts'
import { type Cents, parseMoney } from '../../values/money.ts'
import { type UnpricedLine, unitPrice } from '../placing/order-lines.ts'
import { bottleCount, type Choice, choosePackages, type PackedItem } from './choice.ts'

/** True if shipping is free for this gross value of goods. */
export const isFree = (goodsGross: Cents, limit: Cents | null): boolean => limit !== null && goodsGross >= limit

/** The number of bottles that the goods take up in packages. */
export const bottlesOf = (lines: readonly UnpricedLine[]): number =>
  bottleCount(lines.map(({ quantity, item }) => ({ ...(item as Pick<PackedItem, 'package_quantity'>), quantity })))

/** The gross value of goods from which shipping is free; null for never. */
const freeFrom = ({ freight_free_from: limit }: Pick<Merchant, 'freight_free_from'>): Cents | null => {
  if (limit === null) return null
  const cents = parseMoney(limit)
  if (cents === undefined) throw new Error('the merchant has a limit for free shipping that is no amount')
  return cents
}

const packageName = ({ min_bottles, max_bottles }: Package): string =>
  max_bottles === null ? `Versand ab ${min_bottles ?? 1} Flaschen` : `Versand bis ${max_bottles} Flaschen`

export type NamedPackage = Package & { name: string }

/** A package with its German name on orders and pages. */
export const withName = (terms: Package): NamedPackage => ({ ...terms, name: packageName(terms) })

/** The terms and the goods that decide the cost of shipping. */
export type Shipment = { merchant: Pick<Merchant, 'freight_free_from'>; bottles: number; goodsGross: Cents }

/** The line of chosen packages, free for goods of enough value. */
export const shippingLine = (
  { chosen, quantity }: Choice<Package>,
  { merchant, goodsGross }: Shipment,
): UnpricedLine => {
  const { id, taxrate } = chosen
  return {
    item_type: 'package',
    item_id: id,
    name: packageName(chosen),
    quantity,
    taxrate,
    unit: isFree(goodsGross, freeFrom(merchant)) ? { net: 0, gross: 0 } : unitPrice(chosen, 'package'),
    item: { ...chosen },
  }
}

/** The line of the packages that the bottles need; undefined if they need none. */
export const shippingFor = (packages: readonly Package[], shipment: Shipment): UnpricedLine | undefined => {
  const choice = choosePackages(packages, shipment.bottles)
  return choice && shippingLine(choice, shipment)
}
