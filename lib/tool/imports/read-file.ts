import { parseJsonRow, parseRow } from '../../../shared/wines/import.ts'
import type { ImportRow } from '../../../shared/wines/import-row.ts'
import { type RowFile, readRows } from './row-files.ts'

/** The rows of a file of wines with their lines, and what is wrong with the others. */
export type WineFile = RowFile<ImportRow>

/** Reads a CSV or JSON file of wines. Throws Refused when it cannot be read as one. */
export const readWineFile = (file: string): WineFile => readRows(file, 'wines', { parseRow, parseJsonRow })
