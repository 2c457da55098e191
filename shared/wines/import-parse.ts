import { formatSum, parseMoney, triple } from '../money.ts'
import { structured, wineryColumn, wineryKeyOf } from './import-csv.ts'
import { type Broken, fields, readValue, wineryFields } from './import-fields.ts'
import type { ImportRow, RowProblem } from './import-row.ts'
import { isRegionOf, regionsInWords } from './regions.ts'
import { isQualityOf, qualities } from './values.ts'

/** What became of one line: the row, or everything that is wrong with it. */
export type Parsed = { row: ImportRow; problems: [] } | { row: null; problems: RowProblem[] }

type Table = Readonly<Record<string, Parameters<typeof readValue>[0]>>
type Report = (column: string, broken: Broken) => void

const missing: Broken = { rule: 'required', expected: 'given' }
const requiredKeys = ['articlenumber', 'name', 'type', 'countrycode', 'region']
const unknownKey: Broken = { rule: 'unknown_column', expected: 'a column of the import' }

const readAll = (
  given: ReadonlyMap<string, unknown>,
  table: Table,
  required: readonly string[],
  report: Report,
): Record<string, unknown> => {
  for (const key of required) if (given.get(key) === undefined) report(key, missing)
  for (const key of given.keys()) if (!Object.hasOwn(table, key)) report(key, unknownKey)
  const values: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(table)) {
    const input = given.get(key)
    if (input === undefined) continue
    const read = readValue(schema, input)
    if ('value' in read) values[key] = read.value
    else report(key, read)
  }
  return values
}

const asMap = (value: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (value instanceof Map) return value
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? new Map<string, unknown>(Object.entries(value)) : undefined
}

const checkPlaces = ({ countrycode, region, quality }: Partial<ImportRow>, report: Report) => {
  if (countrycode === undefined) return
  if (region !== undefined && !isRegionOf(countrycode, region)) {
    report('region', { rule: 'region_of_country', expected: regionsInWords(countrycode) ?? 'a positive whole number' })
  }
  if (typeof quality === 'string' && !isQualityOf(countrycode, quality)) {
    report('quality', { rule: 'quality_of_country', expected: qualities.get(countrycode)?.join(', ') ?? 'any text' })
  }
}

const centsOf = (amount: string | undefined) => (amount === undefined ? undefined : parseMoney(amount))

const fillPrice = (row: Partial<ImportRow>, report: Report) => {
  if (row.net === undefined && row.tax === undefined) return
  if (row.taxrate === undefined) return report('taxrate', missing)
  const sum = triple({ gross: centsOf(row.gross), net: centsOf(row.net), tax: centsOf(row.tax), taxrate: row.taxrate })
  if (sum === 'inconsistent') {
    return report('gross', { rule: 'price_inconsistent', expected: 'consistent with net, tax and taxrate' })
  }
  Object.assign(row, formatSum(sum))
}

const parse = (given: ReadonlyMap<string, unknown>, line: number): Parsed => {
  const problems: RowProblem[] = []
  const report: Report = (column, broken) => problems.push({ line, column, ...broken })
  const winery = given.get('winery')
  const ownFields = new Map([...given].filter(([key]) => key !== 'winery'))
  const row: Partial<ImportRow> = readAll(ownFields, fields, requiredKeys, report)
  checkPlaces(row, report)
  // A price that was refused above would only be refused a second time, in other words.
  if (problems.length === 0) fillPrice(row, report)

  if (winery !== undefined) {
    const parts = asMap(winery)
    const toWineryColumn: Report = (key, broken) => report(wineryColumn(key), broken)
    if (parts) Object.assign(row, { winery: readAll(parts, wineryFields, ['name'], toWineryColumn) })
    else report('winery', { rule: 'type', expected: 'an object' })
  }
  return problems.length > 0 ? { row: null, problems } : { row: row as ImportRow, problems: [] }
}

/**
 * A CSV record as an import row. Lists are written `1|2|3`, prices `name=8.90|other=7.50`, a bar or backslash inside a
 * name with a backslash before it; the winery's fields stand in `winery`, `winery_www` and so on. An empty cell clears
 * a field that can be null or a list, and leaves any other alone. An unknown column is a problem of line 1.
 */
export const parseRow = (record: Readonly<Record<string, string | null>>, line: number): Parsed => {
  const unknownColumns = Object.keys(record).filter(column => !Object.hasOwn(fields, column) && !wineryKeyOf(column))
  const { row, problems } = parse(structured(record), line)
  const all = [...unknownColumns.map(column => ({ line: 1, column, ...unknownKey })), ...problems]
  return all.length > 0 || row === null ? { row: null, problems: all } : { row, problems: [] }
}

/** A JSON value as an import row: an object with the keys of ImportRow; null clears a field that can be null. */
export const parseJsonRow = (value: unknown, line: number): Parsed => {
  const given = asMap(value)
  if (given) return parse(given, line)
  return { row: null, problems: [{ line, column: '', rule: 'type', expected: 'an object' }] }
}

/** Many parsed lines: the rows with their lines, and all problems, each reported once. */
export const collected = (parsed: Iterable<Parsed & { line: number }>) => {
  const rows: ImportRow[] = []
  const lines: number[] = []
  const refusals = new Map<string, RowProblem>()
  for (const { row, problems, line } of parsed) {
    if (row) {
      rows.push(row)
      lines.push(line)
    }
    for (const problem of problems) refusals.set(JSON.stringify(problem), problem)
  }
  return { rows, lines, refusals: [...refusals.values()] }
}
