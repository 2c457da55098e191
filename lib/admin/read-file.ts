import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { parse } from 'csv-parse/sync'
import { collected, parseJsonRow, parseRow } from '../../shared/wines/import.ts'
import type { ImportRow, RowProblem } from '../../shared/wines/import-row.ts'
import { Refused } from './merchants.ts'

/** The rows of an import file with their lines, and what is wrong with the others. */
export type WineFile = { rows: ImportRow[]; lines: number[]; refusals: RowProblem[] }

type Entry = { line: number; parsed: ReturnType<typeof parseRow> }

type CsvRecord = { record: Record<string, string>; info: { lines: number } }

const csvEntries = (text: string): Entry[] => {
  const records = parse(text, {
    columns: true,
    bom: true,
    skip_empty_lines: true,
    info: true,
    relax_column_count: false,
  }) as CsvRecord[]
  return records.map(({ record, info }) => ({ line: info.lines, parsed: parseRow(record, info.lines) }))
}

const jsonEntries = (text: string): Entry[] => {
  const values: unknown = JSON.parse(text)
  if (!Array.isArray(values)) throw new Refused('a JSON file of wines must hold one list')
  return values.map((value, n) => ({ line: n + 1, parsed: parseJsonRow(value, n + 1) }))
}

/** Reads a CSV or JSON file of wines. Throws Refused when it cannot be read as one. */
export const readWineFile = (file: string): WineFile => {
  const text = readFileSync(file, 'utf8')
  const isJson = extname(file).toLowerCase() === '.json'
  let entries: Entry[]
  try {
    entries = isJson ? jsonEntries(text) : csvEntries(text)
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(`${file}: ${(error as Error).message}`)
  }
  return collected(entries.map(({ line, parsed }) => ({ ...parsed, line })))
}
