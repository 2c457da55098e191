import {
  asMap,
  fillPrice,
  type Parsed as ParsedAs,
  type Report,
  type RowProblem,
  readFields,
  unknownColumn,
} from '../imports/parse.ts'
import { structured, wineryColumn, wineryKeyOf } from './import-csv.ts'
import { fields, wineryFields } from './import-fields.ts'
import type { ImportRow } from './import-row.ts'
import { isRegionOf, regionsInWords } from './regions.ts'
import { isQualityOf, qualities } from './values.ts'

export { collected } from '../imports/parse.ts'

/** What became of one line: the row, or everything that is wrong with it. */
export type Parsed = ParsedAs<ImportRow>

const requiredKeys = ['articlenumber', 'name', 'type', 'countrycode', 'region']

const checkPlaces = ({ countrycode, region, quality }: Partial<ImportRow>, report: Report) => {
  if (countrycode === undefined) return
  if (region !== undefined && !isRegionOf(countrycode, region)) {
    report('region', { rule: 'region_of_country', expected: regionsInWords(countrycode) ?? 'a positive whole number' })
  }
  if (typeof quality === 'string' && !isQualityOf(countrycode, quality)) {
    report('quality', { rule: 'quality_of_country', expected: qualities.get(countrycode)?.join(', ') ?? 'any text' })
  }
}

const parse = (given: ReadonlyMap<string, unknown>, line: number): Parsed => {
  const problems: RowProblem[] = []
  const report: Report = (column, broken) => problems.push({ line, column, ...broken })
  const winery = given.get('winery')
  const ownFields = new Map([...given].filter(([key]) => key !== 'winery'))
  const row: Partial<ImportRow> = readFields(ownFields, fields, requiredKeys, report)
  checkPlaces(row, report)
  // A price that was refused above would only be refused a second time, in other words.
  if (problems.length === 0) fillPrice(row, report)

  if (winery !== undefined) {
    const parts = asMap(winery)
    const toWineryColumn: Report = (key, broken) => report(wineryColumn(key), broken)
    if (parts) Object.assign(row, { winery: readFields(parts, wineryFields, ['name'], toWineryColumn) })
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
  const all = [...unknownColumns.map(column => ({ line: 1, column, ...unknownColumn })), ...problems]
  return all.length > 0 || row === null ? { row: null, problems: all } : { row, problems: [] }
}

/** A JSON value as an import row: an object with the keys of ImportRow; null clears a field that can be null. */
export const parseJsonRow = (value: unknown, line: number): Parsed => {
  const given = asMap(value)
  if (given) return parse(given, line)
  return { row: null, problems: [{ line, column: '', rule: 'type', expected: 'an object' }] }
}
