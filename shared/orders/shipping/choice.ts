/** The numbers of bottles that a package fits; an open end is null. */
export type PackageRange = { id: number; type: string; min_bottles: number | null; max_bottles: number | null }

/** An ordered item; a wine has no package quantity. */
export type PackedItem = { quantity: number; package_quantity?: number | null | undefined }

/** The number of bottles that items take up: one each without a package quantity. */
export const bottleCount = (items: readonly PackedItem[]): number =>
  items.reduce((sum, { quantity, package_quantity }) => sum + quantity * (package_quantity ?? 1), 0)

const ends = ({ min_bottles, max_bottles }: PackageRange) => ({
  least: min_bottles ?? 0,
  most: max_bottles ?? Number.MAX_SAFE_INTEGER,
})

const width = (range: PackageRange) => ends(range).most - ends(range).least

const holds = (range: PackageRange, bottles: number) => ends(range).least <= bottles && bottles <= ends(range).most

const byFit = (a: PackageRange, b: PackageRange) => width(a) - width(b) || a.id - b.id

/** A package, and how many of it. */
export type Choice<P> = { chosen: P; quantity: number }

/**
 * The packages for a number of bottles: of the ranges that contain it the narrowest, then the lowest id; in a gap between
 * ranges the next larger range; above all ranges the largest, as often as needed. Undefined if nothing needs packing or
 * the merchant has no packages.
 */
export const choosePackages = <P extends PackageRange>(
  packages: readonly P[],
  bottles: number,
): Choice<P> | undefined => {
  const byBottles = packages.filter(({ type }) => type === 'bottles').toSorted(byFit)
  const fitting = byBottles.find(range => holds(range, bottles))
  if (fitting) return { chosen: fitting, quantity: 1 }
  if (bottles === 0) return undefined
  const bySize = byBottles.toSorted((a, b) => ends(a).most - ends(b).most)
  const chosen = bySize.find(range => ends(range).most >= bottles) ?? bySize.at(-1)
  return chosen && { chosen, quantity: Math.ceil(bottles / Math.max(1, ends(chosen).most)) }
}
