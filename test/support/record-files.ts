import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { collectLines, rowsText } from '../../lib/tool/imports/files.ts'
import { emptyPlan } from '../../lib/tool/imports/plan.ts'
import type { Format } from '../../lib/tool/imports/rows.ts'

/** Rows as they come back from a CSV file that holds them; throws when a line is refused. */
export const throughCsv = <Row>(format: Format<Row>, rows: readonly Row[]): Row[] => {
  const records: Record<string, string>[] = parse(rowsText('rows.csv', rows, format), { columns: true })
  const read = collectLines(records.map((record, n) => ({ line: n + 2, parsed: format.parseRow(record, n + 2) })))
  if (read.refusals.length > 0) throw new Error(JSON.stringify(read.refusals))
  return read.rows
}

/** Rows as they come back from a JSON file that holds them; throws when a row is refused. */
export const throughJson = <Row>(format: Format<Row>, rows: readonly Row[]): Row[] => {
  const values: unknown[] = JSON.parse(rowsText('rows.json', rows, format))
  const read = collectLines(values.map((value, n) => ({ line: n + 1, parsed: format.parseJsonRow(value, n + 1) })))
  if (read.refusals.length > 0) throw new Error(JSON.stringify(read.refusals))
  return read.rows
}

/** A plan that does nothing. */
export const nothing = (unchanged: number) => ({ ...emptyPlan(), unchanged })

// Characters that CSV, the list separator and Unicode forms stumble over.
const unit = fc.constantFrom('a', 'B', 'ß', 'u\u0308', 'é', '|', '\\', '=', ';', '"', "'", ',', ' ', '#', '🍷', '0')

/** Texts of one line, filled. */
export const someText = fc.string({ unit, minLength: 1, maxLength: 12 }).map(raw => raw.normalize('NFC').trim() || 'x')

/** Texts of several lines, or none. */
export const someLines = fc.option(fc.array(someText, { minLength: 1, maxLength: 3 }).map(lines => lines.join('\n')))

/** Flags. */
export const someFlag = fc.constantFrom<0 | 1>(0, 1)

/** Amounts with two decimals. */
export const someMoney = fc.nat(99_999).map(cents => (cents / 100).toFixed(2))
