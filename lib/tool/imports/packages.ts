import { readRecordsVersion } from '../../../shared/catalogue/versions.ts'
import { type Package, packageFields } from '../../../shared/contract/records/package.ts'
import { findOversized } from '../../../shared/contract/records/size.ts'
import type { RowOf } from '../../../shared/contract/schema/fields.ts'
import {
  blankPackage,
  invertedBounds,
  overlaps,
  packagesAction,
  packageWith,
  readPackages,
} from '../../../shared/orders/shipping/packages.ts'
import type { PackagesItem } from '../../../shared/platform/table/items.ts'
import { emptyPlan, fieldChanges, onceOnly, type Plan, type Refuse } from './plan.ts'
import { formatOf, missing, type Report } from './rows.ts'
import { inVersions, type Kind } from './run.ts'

/**
 * A row of a package file; a missing bound is open. Without an id it is the package of the same range, or a new package.
 */
export type PackageRow = RowOf<typeof packageFields, 'taxrate'>

type PackageState = PackagesItem & { version: number }

const complete = (row: Partial<PackageRow>, report: Report): void => {
  if (row.gross === undefined) report('gross', missing)
  for (const { field, ...rule } of invertedBounds(row)) report(field, rule)
}

type Terms = Omit<Package, 'id' | 'customers_id'>

// The file is the whole list: a missing column is open, not unchanged.
const termsOf = (row: PackageRow): Terms => {
  const { id, customers_id, ...terms } = packageWith(blankPackage(0, 0), row)
  return terms
}

const isSameRange = (one: Terms, other: Terms): boolean =>
  one.type === other.type && one.min_bottles === other.min_bottles && one.max_bottles === other.max_bottles

/** The package of each row; a package belongs to one row only, ids take precedence over ranges. */
const matchPackages = (packages: readonly Package[], rows: readonly PackageRow[]): (Package | undefined)[] => {
  const byId = rows.map(({ id }) => (id === undefined ? undefined : packages.find(one => one.id === id)))
  const free = packages.filter(one => !byId.includes(one))
  return rows.map((row, n) => {
    if (row.id !== undefined) return byId[n]
    const at = free.findIndex(one => isSameRange(one, termsOf(row)))
    return at < 0 ? undefined : free.splice(at, 1)[0]
  })
}

/** Refuses a range that overlaps that of an earlier line. */
const overlapCheck = () => {
  const seen: { range: Terms; line: number }[] = []
  return (range: Terms, line: number, refuse: Refuse): void => {
    const earlier = seen.find(one => overlaps(one.range, range))
    if (earlier) refuse('min_bottles', 'overlap', `outside the range of line ${earlier.line}`)
    seen.push({ range, line })
  }
}

/** The plan of replacing a merchant's packages by rows. */
export const planPackages = (
  packages: readonly Package[],
  rows: readonly PackageRow[],
  lines?: readonly number[],
): Plan<PackageRow, Package> => {
  const found = matchPackages(packages, rows)
  const plan = emptyPlan<PackageRow, Package>()
  plan.removals.push(...packages.filter(one => !found.includes(one)))
  const checkId = onceOnly('id')
  const checkOverlap = overlapCheck()
  for (const [n, row] of rows.entries()) {
    const line = lines?.[n] ?? n + 1
    const refusalsBefore = plan.refusals.length
    const refuse: Refuse = (column, rule, expected) => plan.refusals.push({ line, column, rule, expected })
    if (row.id !== undefined) checkId(row.id, line, refuse)
    checkOverlap(termsOf(row), line, refuse)
    if (plan.refusals.length > refusalsBefore) continue
    const record = found[n]
    // Net and tax follow from gross and the tax rate.
    const { net, tax, ...terms } = termsOf(row)
    const changed = record ? fieldChanges(record, terms) : []
    if (!record) plan.additions.push(row)
    else if (changed.length === 0) plan.unchanged += 1
    else plan.changes.push({ record, row, fields: changed })
  }
  // All packages are one item.
  const tooMany = findOversized(
    packagesFrom({ packages: [...packages], last: 0 }, rows, Number.MAX_SAFE_INTEGER),
    {},
    { packages },
  )
  if (tooMany) {
    const { rule, expected } = tooMany
    plan.refusals.push({
      line: lines?.at(-1) ?? rows.length,
      column: '',
      rule,
      expected: `the last of a list of ${expected}`,
    })
  }
  return plan
}

/** The packages after an import: a package keeps its id, a new package gets an id that was never used. */
export const packagesFrom = (
  present: PackagesItem,
  rows: readonly PackageRow[],
  customers_id: number,
): PackagesItem => {
  const found = matchPackages(present.packages, rows)
  let last = Math.max(present.last, ...present.packages.map(({ id }) => id), ...rows.map(({ id }) => id ?? 0))
  const packages = rows.map((row, n) => ({ id: row.id ?? found[n]?.id ?? ++last, ...termsOf(row), customers_id }))
  return { packages, last }
}

const rowOf = ({ customers_id, net, tax, ...row }: Package): PackageRow => row

const titleOf = ({ min_bottles: min = null, max_bottles: max = null }: PackageRow | Package): string => {
  if (max === null) return `${min ?? 0} bottles and more`
  return min === null ? `up to ${max} bottles` : `${min} to ${max} bottles`
}

/** Packages in files: a file is the whole list. */
export const packages: Kind<PackageRow, Package, PackageState> = {
  name: 'packages',
  keyed: 'the file is the whole list; a package is identified by its id, or else by its range of bottles',
  isWholeList: true,
  format: formatOf(packageFields, ['taxrate'], { complete }),
  titleOf,
  read: async merchant => {
    const version = await readRecordsVersion(merchant, 'packages')
    return { version, ...(await readPackages(merchant)) }
  },
  plan: (state, rows, lines) => planPackages(state.packages, rows, lines),
  writes: (merchant, { state, plan: { additions, changes, removals }, rows }) => {
    const isChanged = additions.length + changes.length + removals.length > 0
    const item = packagesFrom(state, rows, merchant)
    return inVersions(merchant, 'packages', state.version, isChanged ? [[packagesAction(merchant, item)]] : [])
  },
  exportRows: ({ packages: all }) => ({ rows: all.map(rowOf), leftOut: 0 }),
}
