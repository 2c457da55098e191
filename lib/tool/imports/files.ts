import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { type Info, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { Refused } from '../merchants.ts'
import type { Format, Parsed, RowProblem } from './rows.ts'

/** The rows of an import file with their lines, and what is wrong with the others. */
export type RowFile<Row> = { rows: Row[]; lines: number[]; refusals: RowProblem[] }

type Reading<Row> = Pick<Format<Row>, 'parseRow' | 'parseJsonRow'>
type Line<Row> = { line: number; parsed: Parsed<Row> }
type CsvRecord = { record: Record<string, string>; info: Info }

const csvLines = <Row>(text: string, { parseRow }: Reading<Row>): Line<Row>[] => {
  // An import of a whole list would take an empty file, say of an export that failed, for an empty list.
  if (text.trim() === '') throw new Error('the file is empty; it needs a header line')
  const records = parse<CsvRecord>(text, {
    columns: true,
    bom: true,
    skip_empty_lines: true,
    info: true,
    relax_column_count: false,
  })
  return records.map(({ record, info: { lines: line } }) => ({ line, parsed: parseRow(record, line) }))
}

const jsonLines = <Row>(text: string, kind: string, { parseJsonRow }: Reading<Row>): Line<Row>[] => {
  const values: unknown = JSON.parse(text)
  if (!Array.isArray(values)) throw new Refused(`a JSON file of ${kind} must hold one list`)
  return values.map((value, n) => ({ line: n + 1, parsed: parseJsonRow(value, n + 1) }))
}

/** Many parsed lines: the rows with their lines, and all problems, each reported once. */
export const collected = <Row>(all: Iterable<Line<Row>>): RowFile<Row> => {
  const rows: Row[] = []
  const lines: number[] = []
  const refusals = new Map<string, RowProblem>()
  for (const { line, parsed } of all) {
    if (parsed.row) {
      rows.push(parsed.row)
      lines.push(line)
    }
    for (const problem of parsed.problems) refusals.set(JSON.stringify(problem), problem)
  }
  return { rows, lines, refusals: [...refusals.values()] }
}

const isJson = (file: string): boolean => extname(file).toLowerCase() === '.json'

const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('the file is not UTF-8')
  }
}

/** Reads a CSV or JSON file of some kind of records. Throws Refused when it cannot be read as one. */
export const readRows = <Row>(file: string, kind: string, reading: Reading<Row>): RowFile<Row> => {
  const bytes = readFileSync(file)
  try {
    const text = textOf(bytes)
    return collected(isJson(file) ? jsonLines(text, kind, reading) : csvLines(text, reading))
  } catch (error) {
    if (error instanceof Refused || !(error instanceof Error)) throw error
    throw new Refused(`${file}: ${error.message}`)
  }
}

type Writing<Row> = Pick<Format<Row>, 'columns' | 'toCsvRecord'>

/**
 * Rows as the text of an import file, CSV or JSON by the file's ending. A CSV file has the columns that some row fills
 * or empties; without any row it has them all, so that it still is a file of its kind.
 */
export const rowsText = <Row>(file: string, rows: readonly Row[], { columns, toCsvRecord }: Writing<Row>): string => {
  if (isJson(file)) return `${JSON.stringify(rows, null, 2)}\n`
  const records = rows.map(toCsvRecord)
  const used = new Set(records.flatMap(record => Object.keys(record)))
  const header = records.length > 0 ? columns.filter(column => used.has(column)) : [...columns]
  return stringify(records, { header: true, columns: header })
}
