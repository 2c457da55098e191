import type { MerchantId } from '../../../shared/platform/table/keys.ts'
import { categories } from './categories.ts'
import { clients } from './clients.ts'
import type { Column } from './columns.ts'
import { readRows, rowsText } from './files.ts'
import { grapes } from './grapes.ts'
import { packages } from './packages.ts'
import { type PlanView, viewOf } from './plan.ts'
import { priceRanges } from './price-ranges.ts'
import { products } from './products.ts'
import { importRecords, type Kind, type Progress } from './run.ts'
import { wines, winesRolledOver } from './wines.ts'

/** An import of a file that is ready to run: its plan, the detected traits of the file, and warnings. */
type Prepared = {
  view: PlanView
  traits: string[]
  warnings: string[]
  apply(progress: Progress): Promise<void>
}

/** A kind of records for the command line. */
export type FileKind = {
  name: string
  keyed: string
  columns: readonly Column[]
  /** True if a row may make the next vintage of its record. */
  canRollOver: boolean
  prepare(merchant: MerchantId, file: string, options?: { rollOver?: boolean | undefined }): Promise<Prepared>
  /** The text of an export, the number of records in it, and of those that no row can refer to. */
  write(merchant: MerchantId, file: string): Promise<{ text: string; count: number; leftOut: number }>
}

const fileKind = <Row extends object, Found, State>(
  changing: Kind<Row, Found, State>,
  rollingOver?: Kind<Row, Found, State>,
): FileKind => ({
  name: changing.name,
  keyed: changing.keyed,
  columns: changing.format.columns,
  canRollOver: rollingOver !== undefined,
  prepare: async (merchant, file, { rollOver } = {}) => {
    const kind = (rollOver && rollingOver) || changing
    const { rows, lines, refusals, traits } = readRows(file, kind.name, kind.format)
    const view = viewOf(kind.plan(await kind.read(merchant), rows, lines), kind.titleOf, kind.isWholeList)
    // If some lines are unreadable, it is unknown which records the list leaves out.
    const removals = refusals.length > 0 ? { removals: [] } : {}
    return {
      view: { ...view, ...(kind.isWholeList && removals), refusals: [...refusals, ...view.refusals] },
      traits,
      warnings: rows.flatMap(row => kind.warningOf?.(row) ?? []),
      apply: progress => importRecords(merchant, kind, rows, { progress }),
    }
  },
  write: async (merchant, file) => {
    const { rows, leftOut } = changing.exportRows(await changing.read(merchant))
    return { text: rowsText(file, rows, changing.format), count: rows.length, leftOut }
  },
})

/** All kinds of records in files. */
export const fileKinds: readonly FileKind[] = [
  fileKind(wines, winesRolledOver),
  fileKind(clients),
  fileKind(products),
  fileKind(packages),
  fileKind(priceRanges),
  fileKind(categories),
  fileKind(grapes),
]
