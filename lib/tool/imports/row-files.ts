import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { usedColumns } from '../../../shared/imports/cells.ts'
import type { Format } from '../../../shared/imports/format.ts'
import { collected, type Parsed, type RowProblem } from '../../../shared/imports/parse.ts'
import { Refused } from '../merchants.ts'

/** The rows of an import file with their lines, and what is wrong with the others. */
export type RowFile<Row> = { rows: Row[]; lines: number[]; refusals: RowProblem[] }

type Reading<Row> = Pick<Format<Row>, 'parseRow' | 'parseJsonRow'>
type Entry<Row> = { line: number; parsed: Parsed<Row> }
type CsvRecord = { record: Record<string, string>; info: { lines: number } }

const csvEntries = <Row>(text: string, { parseRow }: Reading<Row>): Entry<Row>[] => {
  // An import of a whole list would take an empty file, say of an export that failed, for an empty list.
  if (text.trim() === '') throw new Error('the file is empty; it needs a header line')
  const records = parse(text, {
    columns: true,
    bom: true,
    skip_empty_lines: true,
    info: true,
    relax_column_count: false,
  }) as CsvRecord[]
  return records.map(({ record, info }) => ({ line: info.lines, parsed: parseRow(record, info.lines) }))
}

const jsonEntries = <Row>(text: string, kind: string, { parseJsonRow }: Reading<Row>): Entry<Row>[] => {
  const values: unknown = JSON.parse(text)
  if (!Array.isArray(values)) throw new Refused(`a JSON file of ${kind} must hold one list`)
  return values.map((value, n) => ({ line: n + 1, parsed: parseJsonRow(value, n + 1) }))
}

const isJson = (file: string): boolean => extname(file).toLowerCase() === '.json'

/** Reads a CSV or JSON file of some kind of records. Throws Refused when it cannot be read as one. */
export const readRows = <Row>(file: string, kind: string, reading: Reading<Row>): RowFile<Row> => {
  const text = readFileSync(file, 'utf8')
  let entries: Entry<Row>[]
  try {
    entries = isJson(file) ? jsonEntries(text, kind, reading) : csvEntries(text, reading)
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(`${file}: ${(error as Error).message}`)
  }
  return collected(entries.map(({ line, parsed }) => ({ ...parsed, line })))
}

type Writing<Row> = Pick<Format<Row>, 'columns' | 'toCsvRecord'>

/**
 * Rows as the text of an import file, CSV or JSON by the file's ending. A CSV file has the columns that some row fills
 * or empties; without any row it has them all, so that it still is a file of its kind.
 */
export const rowsText = <Row>(file: string, rows: readonly Row[], { columns, toCsvRecord }: Writing<Row>): string => {
  if (isJson(file)) return `${JSON.stringify(rows, null, 2)}\n`
  const records = rows.map(toCsvRecord)
  return stringify(records, {
    header: true,
    columns: records.length > 0 ? usedColumns(columns, records) : [...columns],
  })
}
