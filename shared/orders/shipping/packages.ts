import { amountsOf, isPriced, typedPrices } from '../../catalogue/goods-data.ts'
import { type Added, addRecord, type Change, changeRecords } from '../../catalogue/record-versions.ts'
import { type BadField, Problem, validationProblem } from '../../contract/errors.ts'
import { completePackage, type NewPackage, type Package, type PackageChange } from '../../contract/records/package.ts'
import { checkSize } from '../../contract/records/size.ts'
import { givenOnly } from '../../contract/schema/fields.ts'
import type { Keyed } from '../../merchants/idempotency.ts'
import type { PackagesItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, getItems } from '../../platform/table/table.ts'
import { type Action, put } from '../../platform/table/transact.ts'
import { asSoldBy, type TaxFree } from '../../values/money.ts'
import { type NamedPackage, withName } from './cost.ts'

const noPackages: PackagesItem = { packages: [], last: 0 }

const completeList = ({ packages, last = 0 }: PackagesItem): PackagesItem => ({
  packages: packages.map(completePackage),
  last: Math.max(last, ...packages.map(({ id }) => id)),
})

/** Reads a merchant's packages, and the last id that any of them had. */
export const readPackages = async (merchant: MerchantId): Promise<PackagesItem> =>
  completeList((await getItem(key('packages', { merchant }))) ?? noPackages)

/** All packages of a merchant are one item. */
export const packagesAction = (merchant: MerchantId, item: PackagesItem): Action =>
  put('packages', key('packages', { merchant }), item)

type Range = Pick<Package, 'type' | 'min_bottles' | 'max_bottles'>

const ends = ({ min_bottles, max_bottles }: Range) =>
  [min_bottles ?? 0, max_bottles ?? Number.MAX_SAFE_INTEGER] as const

/** True if a number of bottles is in both ranges. */
export const overlaps = (one: Range, other: Range): boolean => {
  const [min, max] = ends(one)
  const [otherMin, otherMax] = ends(other)
  return one.type === other.type && min <= otherMax && otherMin <= max
}

type Bounds = { [Bound in `${'min' | 'max'}_${'bottles' | 'weight'}`]?: number | null | undefined }

/** The rules that bounds break whose maximum is below their minimum, each with its field. */
export const invertedBounds = (bounds: Bounds): { field: keyof Bounds; rule: string; expected: string }[] =>
  (['bottles', 'weight'] as const).flatMap(unit => {
    const [min, max] = [bounds[`min_${unit}`], bounds[`max_${unit}`]]
    const isInverted = typeof min === 'number' && typeof max === 'number' && max < min
    return isInverted ? [{ field: `max_${unit}` as const, rule: 'range', expected: `min_${unit} or more` }] : []
  })

const checkRange = (pack: Package, others: readonly Package[]): void => {
  const inverted = invertedBounds(pack).map(({ field, ...rule }): BadField => ({ path: `data.${field}`, ...rule }))
  const other = others.find(one => overlaps(one, pack))
  const overlap = other && {
    path: 'data.min_bottles',
    rule: 'overlap',
    expected: `the beginning of a range outside that of package ${other.id}`,
  }
  const fields = [...inverted, ...(inverted.length === 0 && overlap ? [overlap] : [])]
  if (fields.length > 0) throw validationProblem(fields)
}

type Terms = Omit<Package, 'net' | 'tax'>

/** A package without a price, for any number of bottles. */
export const blankPackage = (id: number, customers_id: number): Terms => ({
  ...{ id, type: 'bottles', min_bottles: null, max_bottles: null, min_weight: null, max_weight: null },
  ...{ gross: '0.00', taxrate: 0, customers_id },
})

/** A package with the given fields; others stay, and a missing bound is open. Throws price_inconsistent. */
export const packageWith = (present: Terms, data: PackageChange): Package => {
  const { taxrate = present.taxrate } = data
  const amounts = amountsOf(isPriced(data) ? data : { gross: present.gross }, taxrate, 'a package', 'data.')
  return completePackage({ ...present, ...givenOnly(data), ...amounts })
}

type Present = PackagesItem & { seller: TaxFree }

const readPresent = async (merchant: MerchantId): Promise<Present> => {
  const [seller = {}, present = noPackages] = await getItems([
    key('merchant', { merchant }),
    key('packages', { merchant }),
  ])
  return { ...completeList(present), seller }
}

const shownPackage = ({ seller }: Present, pack: Package): NamedPackage => withName(asSoldBy(seller, pack))

/** The change that puts a package in the place of `before` (null: at the end). Throws validation_failed or price_inconsistent. */
const changeOf = (
  merchant: MerchantId,
  present: Present,
  before: Package | null,
  data: PackageChange,
): Change<NamedPackage> => {
  const id = before?.id ?? present.last + 1
  const after = packageWith(before ?? blankPackage(id, merchant), typedPrices(present.seller, data))
  const others = present.packages.filter(one => one !== before)
  checkRange(after, others)
  const packages = before ? present.packages.map(one => (one === before ? after : one)) : [...others, after]
  const item = { packages, last: Math.max(present.last, id) }
  checkSize(item, data, { packages: present.packages, last: present.last })
  return { actions: [packagesAction(merchant, item)], result: shownPackage(present, after) }
}

const packageOf = ({ packages }: PackagesItem, id: number): Package => {
  const pack = packages.find(one => one.id === id)
  if (!pack) throw new Problem('package_not_found', { details: 'There is no package with this `id`.' })
  return pack
}

/**
 * Adds a package, once by its Idempotency-Key. Throws validation_failed, price_inconsistent, idempotency_key_reused, or
 * package_not_found if the package of a repeat was deleted.
 */
export const addPackage = (merchant: MerchantId, keyed: Keyed<NewPackage>): Promise<Added<NamedPackage>> =>
  addRecord(merchant, 'packages', keyed, {
    read: async id => {
      const present = await readPresent(merchant)
      return shownPackage(present, packageOf(present, id))
    },
    add: async () => changeOf(merchant, await readPresent(merchant), null, keyed.change),
  })

/** Changes the given fields of a package. Throws package_not_found, nothing_to_change, validation_failed or price_inconsistent. */
export const editPackage = (merchant: MerchantId, id: number, data: PackageChange): Promise<NamedPackage> => {
  if (Object.keys(data).length === 0) throw new Problem('nothing_to_change')
  return changeRecords(merchant, 'packages', async () => {
    const present = await readPresent(merchant)
    return changeOf(merchant, present, packageOf(present, id), data)
  })
}

/**
 * Deletes a package and returns it as it was. Throws package_not_found, or package_needed for the last package unless
 * it is free.
 */
export const deletePackage = (merchant: MerchantId, id: number): Promise<NamedPackage> =>
  changeRecords(merchant, 'packages', async () => {
    const present = await readPresent(merchant)
    const pack = packageOf(present, id)
    const others = present.packages.filter(one => one !== pack)
    if (others.length === 0 && pack.gross !== '0.00') throw new Problem('package_needed')
    return {
      actions: [packagesAction(merchant, { packages: others, last: present.last })],
      result: shownPackage(present, pack),
    }
  })
