import type { Package } from '../../contract/records/package.ts'
import type { Merchant } from '../../platform/table/items.ts'
import { type Cents, parseMoney } from '../../values/money.ts'
import { type UnpricedLine, unitPrice } from './order-lines.ts'
import { freeFreight, type Parcels, pickPackages } from './packages.ts'

/** The gross value of goods from which freight is free; null for never. */
const freightLimit = ({ freight_free_from: limit }: Pick<Merchant, 'freight_free_from'>): Cents | null => {
  if (limit === null) return null
  const cents = parseMoney(limit)
  if (cents === undefined) throw new Error('the merchant has a limit for free freight that is no amount')
  return cents
}

/** The German name of a package on orders and pages. */
export const packageName = ({ min_bottles, max_bottles }: Package): string =>
  max_bottles === null ? `Versand ab ${min_bottles ?? 1} Flaschen` : `Versand bis ${max_bottles} Flaschen`

export type Sending = { merchant: Pick<Merchant, 'freight_free_from'>; bottles: number; goodsGross: Cents }

/** The line of chosen packages, free for goods of enough value. */
export const freightLine = (
  { parcel, quantity }: Parcels<Package>,
  { merchant, goodsGross }: Sending,
): UnpricedLine => {
  const isFree = freeFreight(goodsGross, freightLimit(merchant))
  const { id, taxrate } = parcel
  return {
    item_type: 'package',
    item_id: id,
    name: packageName(parcel),
    quantity,
    taxrate,
    unit: isFree ? { net: 0, gross: 0 } : unitPrice(parcel, 'package'),
    item: { ...parcel },
  }
}

/** The line of the packages that the bottles need; undefined if they need none. */
export const freightFor = (packages: readonly Package[], sending: Sending): UnpricedLine | undefined => {
  const parcels = pickPackages(packages, sending.bottles)
  return parcels && freightLine(parcels, sending)
}
