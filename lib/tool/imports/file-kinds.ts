import type { MerchantId } from '../../../shared/table/keys.ts'
import { clients } from './clients.ts'
import { exportWines } from './export-wines.ts'
import { grapes } from './grapes.ts'
import { importRecords, type Kind, type Progress } from './import-records.ts'
import { importWines, planWines, readCatalogue } from './import-wines.ts'
import { packages } from './packages.ts'
import { type PlanView, viewOf } from './plan-report.ts'
import { priceRanges } from './price-ranges.ts'
import { products } from './products.ts'
import { readWineFile } from './read-file.ts'
import { readRows, rowsText } from './row-files.ts'
import { wineView } from './wine-report.ts'

/** An import of a file: what it would do, and the doing. */
export type Prepared = { view: PlanView; apply(progress: Progress): Promise<void> }

/** A kind of records on the command line. */
export type FileKind = {
  name: string
  keyed: string
  prepare(merchant: MerchantId, file: string): Promise<Prepared>
  /** The text of a file that an import takes back unchanged, and how many records are in it and could not be. */
  write(merchant: MerchantId, file: string): Promise<{ text: string; count: number; unnamed: number }>
}

const wines: FileKind = {
  name: 'wines',
  keyed: 'the article number tells which wine a row is',
  prepare: async (merchant, file) => {
    const { rows, lines, refusals } = readWineFile(file)
    const view = wineView(planWines(await readCatalogue(merchant), rows, lines))
    return {
      view: { ...view, refusals: [...refusals, ...view.refusals] },
      apply: progress => importWines(merchant, rows, progress),
    }
  },
  write: async (merchant, file) => ({ ...(await exportWines(merchant, file)), unnamed: 0 }),
}

const fileKind = <Row extends object, Found, State>(kind: Kind<Row, Found, State>): FileKind => ({
  name: kind.name,
  keyed: kind.keyed,
  prepare: async (merchant, file) => {
    const { rows, lines, refusals } = readRows(file, kind.name, kind.format)
    const view = viewOf(kind.plan(await kind.read(merchant), rows, lines), kind.titleOf, kind.isWholeList)
    // Of a list with lines that could not be read nobody knows what it leaves out.
    const removals = refusals.length > 0 ? { removals: [] } : {}
    return {
      view: { ...view, ...(kind.isWholeList && removals), refusals: [...refusals, ...view.refusals] },
      apply: progress => importRecords(merchant, kind, rows, { progress }),
    }
  },
  write: async (merchant, file) => {
    const { rows, unnamed } = kind.exported(await kind.read(merchant))
    return { text: rowsText(file, rows, kind.format), count: rows.length, unnamed }
  },
})

/** All kinds of records that files bring in and take out. */
export const fileKinds: readonly FileKind[] = [
  wines,
  fileKind(clients),
  fileKind(products),
  fileKind(packages),
  fileKind(priceRanges),
  fileKind(grapes),
]
