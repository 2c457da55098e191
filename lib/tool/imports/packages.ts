import {
  exportPackages,
  type PackageRow,
  packageFormat,
  packagesFrom,
  planPackages,
} from '../../../shared/packages/import.ts'
import type { Package } from '../../../shared/packages/record.ts'
import type { PackagesItem } from '../../../shared/table/items.ts'
import { key, type MerchantId } from '../../../shared/table/keys.ts'
import { getItem } from '../../../shared/table/table.ts'
import { put } from '../../../shared/table/transact.ts'
import type { Kind } from './import-records.ts'

const readPackages = async (merchant: MerchantId): Promise<PackagesItem> => {
  const item = await getItem(key('packages', { merchant }))
  return { packages: item?.packages ?? [], last: item?.last ?? 0 }
}

const titleOf = ({ min_bottles: min = null, max_bottles: max = null }: PackageRow | Package): string => {
  if (max === null) return `${min ?? 0} bottles and more`
  return min === null ? `up to ${max} bottles` : `${min} to ${max} bottles`
}

/** Packages as files bring them: a file is the whole list. */
export const packages: Kind<PackageRow, Package, PackagesItem> = {
  name: 'packages',
  keyed: 'the file is the whole list; a package is known by its id, or else by its range of bottles',
  isWholeList: true,
  format: packageFormat,
  titleOf,
  read: readPackages,
  plan: (state, rows, lines) => planPackages(state.packages, rows, lines),
  actions: async (merchant, { state, plan: { additions, changes, removals } }, rows) => {
    if (additions.length + changes.length + removals.length === 0) return []
    return [[put('packages', key('packages', { merchant }), packagesFrom(state, rows, merchant))]]
  },
  exported: state => ({ rows: exportPackages(state.packages), unnamed: 0 }),
}
