import type { Cents } from '../../money.ts'

/** What decides whether a package fits; an open end of the range is null. */
export type PackageRange = { id: number; type: string; min_bottles: number | null; max_bottles: number | null }

/** An ordered item as far as it fills a package. */
export type PackedItem =
  | { item_type: 'wine'; quantity: number }
  | { item_type: 'product'; quantity: number; package_quantity: number | null }

/** How many bottles the items take up; a product without a package quantity takes up as much as one bottle. */
export const bottleCount = (items: readonly PackedItem[]): number =>
  items.reduce(
    (sum, item) => sum + item.quantity * (item.item_type === 'product' ? (item.package_quantity ?? 1) : 1),
    0,
  )

const ends = ({ min_bottles, max_bottles }: PackageRange) => ({
  least: min_bottles ?? 0,
  most: max_bottles ?? Number.MAX_SAFE_INTEGER,
})

const width = (range: PackageRange) => ends(range).most - ends(range).least

const holds = (range: PackageRange, bottles: number) =>
  range.type === 'bottles' && ends(range).least <= bottles && bottles <= ends(range).most

/** The package for so many bottles: of those that hold them the narrowest range, then the lowest id. */
export const pickPackage = <P extends PackageRange>(packages: readonly P[], bottles: number): P | undefined =>
  packages.filter(candidate => holds(candidate, bottles)).toSorted((a, b) => width(a) - width(b) || a.id - b.id)[0]

/** Whether goods of this gross value travel free of charge; without a limit none do. */
export const freeFreight = (goodsGross: Cents, limit: Cents | null): boolean => limit !== null && goodsGross >= limit
