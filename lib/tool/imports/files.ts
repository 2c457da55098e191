import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { type Info, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { Refused } from '../merchants.ts'
import type { Format, Parsed, RowProblem } from './rows.ts'

/** The rows of an import file with their lines, and the problems of the others. */
export type RowFile<Row> = { rows: Row[]; lines: number[]; refusals: RowProblem[] }

type Reading<Row> = Pick<Format<Row>, 'parseRow' | 'parseJsonRow' | 'hasDecimalComma'>
type Line<Row> = { line: number; parsed: Parsed<Row> }
type CsvRecord = { record: Record<string, string>; info: Info }

/** Column separators and their names; the last is used if the header contains none. */
const delimiters = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  [',', 'commas'],
] as const

const delimiterOf = (text: string) => {
  const [header = ''] = text.split(/\r|\n/, 1)
  const columnsBy = ([delimiter]: (typeof delimiters)[number]): number => header.split(delimiter).length
  return delimiters.reduce((most, one) => (columnsBy(one) >= columnsBy(most) ? one : most))
}

type Read<Row> = { all: Line<Row>[]; traits: string[] }

const csvLines = <Row>(text: string, { parseRow, hasDecimalComma }: Reading<Row>): Read<Row> => {
  // An import of a whole list would take an empty file, such as a failed export, for an empty list.
  if (text.trim() === '') throw new Error('the file is empty; it needs a header line')
  const [delimiter, separators] = delimiterOf(text)
  const records = parse<CsvRecord>(text, {
    columns: true,
    delimiter,
    skip_empty_lines: true,
    info: true,
    relax_column_count: false,
  })
  return {
    all: records.map(({ record, info: { lines: line } }) => ({ line, parsed: parseRow(record, line) })),
    traits: [
      ...(delimiter === ',' ? [] : [`${separators} between columns`]),
      ...(records.some(({ record }) => hasDecimalComma(record)) ? ['decimal commas'] : []),
    ],
  }
}

const jsonLines = <Row>(text: string, kind: string, { parseJsonRow }: Reading<Row>): Read<Row> => {
  const values: unknown = JSON.parse(text)
  if (!Array.isArray(values)) throw new Refused(`a JSON file of ${kind} must hold one list`)
  return { all: values.map((value, n) => ({ line: n + 1, parsed: parseJsonRow(value, n + 1) })), traits: [] }
}

/** The rows and problems of many lines; each problem once. */
export const collectLines = <Row>(all: Iterable<Line<Row>>): RowFile<Row> => {
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

/** A file's text, and its encoding if that is not UTF-8. */
const textOf = (bytes: Uint8Array, file: string): { text: string; encoding?: string } => {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    // A text in UTF-16 contains zero bytes, a text in Windows-1252 does not.
    if (isJson(file) || bytes.includes(0)) throw new Error('the file is not UTF-8')
    // The encoding of a German Excel; any byte is a character.
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

/**
 * Reads a CSV or JSON file; `traits` describe how a CSV file differs from UTF-8 with commas between columns and decimal
 * points. Throws Refused if the file cannot be read.
 */
export const readRows = <Row>(
  file: string,
  kind: string,
  reading: Reading<Row>,
  bytes: Uint8Array = readFileSync(file),
): RowFile<Row> & { traits: string[] } => {
  try {
    const { text, encoding } = textOf(bytes, file)
    const { all, traits } = isJson(file) ? jsonLines(text, kind, reading) : csvLines(text, reading)
    return { ...collectLines(all), traits: [...(encoding ? [encoding] : []), ...traits] }
  } catch (error) {
    if (error instanceof Refused || !(error instanceof Error)) throw error
    throw new Refused(`${file}: ${error.message}`)
  }
}

type Writing<Row> = Pick<Format<Row>, 'columns' | 'toCsvRecord'>

/**
 * Rows as the text of a CSV or JSON file, by the file's ending. A CSV file has the columns that some row gives, or all
 * columns if there is no row.
 */
export const rowsText = <Row>(file: string, rows: readonly Row[], { columns, toCsvRecord }: Writing<Row>): string => {
  if (isJson(file)) return `${JSON.stringify(rows, null, 2)}\n`
  const records = rows.map(toCsvRecord)
  const names = columns.map(({ name }) => name)
  const used = new Set(records.flatMap(record => Object.keys(record)))
  const header = records.length > 0 ? names.filter(name => used.has(name)) : names
  return stringify(records, { header: true, columns: header })
}
