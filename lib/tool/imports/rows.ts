import * as v from 'valibot'
import { brokenRule, type Rule } from '../../../shared/contract/errors.ts'
import { entriesOf, type FieldTable, type RowOf, type ValueSchema } from '../../../shared/contract/schema/fields.ts'
import { completeAmounts, type GivenAmounts } from '../../../shared/values/money.ts'
import { cellOf, valueIn, withDecimalPoints } from './cells.ts'
import { type Column, columnsOf, isPart, partColumn } from './columns.ts'

/** Why a line of a file is refused. */
export type RowProblem = { line: number; column: string } & Rule

/** A parsed line: the row, or all problems of the line. */
export type Parsed<Row> = { row: Row; problems: [] } | { row: null; problems: RowProblem[] }

/** Records a broken rule of a column. */
export type Report = (column: string, rule: Rule) => void

/** The rule of a required value. */
export const missing: Rule = { rule: 'required', expected: 'given' }

const unknownColumn: Rule = { rule: 'unknown_column', expected: 'a column of the import' }

const typeNames: Readonly<Record<string, string>> = { string: 'text', Array: 'a list', Object: 'an object' }

// Cells are texts: a wrong type is described in the words of a file.
const brokenBy = (issue: v.BaseIssue<unknown>): Rule =>
  issue.kind === 'schema'
    ? { rule: 'type', expected: typeNames[issue.expected ?? ''] ?? 'of known keys only' }
    : brokenRule(issue)

type Columns = Readonly<Record<string, ValueSchema>>
type Given = ReadonlyMap<string, unknown>

/** Returns the normalized values; reports missing, unknown and invalid columns, each once. */
const readColumns = <Row extends object>(
  given: Given,
  columns: Columns,
  needed: readonly string[],
  report: Report,
): Partial<Row> => {
  for (const column of needed) if (given.get(column) === undefined) report(column, missing)
  for (const column of given.keys()) if (!Object.hasOwn(columns, column)) report(column, unknownColumn)
  const values: Record<string, unknown> = {}
  for (const [column, schema] of Object.entries(columns)) {
    const input = given.get(column)
    if (input === undefined) continue
    const { success, output, issues } = v.safeParse(schema, input)
    if (success) values[column] = output
    else report(column, brokenBy(issues[0]))
  }
  return values as Partial<Row>
}

const asMap = (value: unknown): Given | undefined => {
  if (value instanceof Map) return value
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? new Map<string, unknown>(Object.entries(value)) : undefined
}

type PricedRow = { [Column in keyof GivenAmounts]?: string | null | undefined } & { taxrate?: number | undefined }

/** Completes a price that gives net or tax, and reports a contradiction; gross alone is enough. */
const fillPrice = (row: PricedRow, report: Report): void => {
  const { net, tax, taxrate } = row
  if (net === undefined && tax === undefined) return
  if (taxrate === undefined) {
    report('taxrate', missing)
    return
  }
  const given = { gross: row.gross ?? undefined, net: net ?? undefined, tax: tax ?? undefined }
  const amounts = completeAmounts(given, taxrate, 'the row')
  if (amounts !== 'inconsistent') Object.assign(row, amounts)
  else report('gross', { rule: 'price_inconsistent', expected: 'consistent with net, tax and taxrate' })
}

const readPart = (
  part: string,
  { entries }: { entries: Columns },
  value: unknown,
  report: Report,
): object | undefined => {
  const given = asMap(value)
  if (!given) {
    report(part, { rule: 'type', expected: 'an object' })
    return undefined
  }
  const needed = Object.entries(entries).flatMap(([key, schema]) => (v.is(schema, undefined) ? [] : [key]))
  return readColumns(given, entries, needed, (key, broken) => report(partColumn(part, key), broken))
}

/** The checks of a kind of records in addition to the rules of each value. */
type Checks<Row> = {
  /** Checks the values that are valid by themselves. */
  check?: (row: Partial<Row>, report: Report) => void
  /** Checks a row without a problem so far. */
  complete?: (row: Partial<Row>, report: Report) => void
}

type RowReader<Row> = Checks<Row> & { columns: Columns; needed: readonly string[] }

const readRow = <Row extends object>(
  given: Given,
  line: number,
  { columns, needed, check, complete }: RowReader<Row>,
): Parsed<Row> => {
  const problems: RowProblem[] = []
  const report: Report = (column, broken) => problems.push({ line, column, ...broken })
  const isWhole = (_: Partial<Row>): _ is Row => problems.length === 0
  const parts = Object.entries(columns).flatMap(([name, schema]) => (isPart(schema) ? [{ name, schema }] : []))
  const own = new Map([...given].filter(([column]) => parts.every(({ name }) => name !== column)))
  const row = readColumns<Row>(own, columns, needed, report)
  check?.(row, report)
  // A price with a refused column would be refused twice.
  if (problems.length === 0) fillPrice(row, report)
  for (const { name, schema } of parts) {
    const value = given.get(name)
    if (value !== undefined) Object.assign(row, { [name]: readPart(name, schema, value, report) })
  }
  if (problems.length === 0) complete?.(row, report)
  return isWhole(row) ? { row, problems: [] } : { row: null, problems }
}

type CsvRecord = Readonly<Record<string, string | null>>

const givenIn = (record: CsvRecord, places: ReadonlyMap<string, Column>, columns: Columns): Given => {
  const given = new Map<string, unknown>()
  const parts = new Map<string, Map<string, unknown>>()
  for (const [column, raw] of Object.entries(record)) {
    const place = places.get(column)
    if (!place) continue
    const value = valueIn(raw?.trim() ?? '', place.schema)
    if (place.part === undefined) given.set(place.key, value)
    else parts.set(place.part, (parts.get(place.part) ?? new Map()).set(place.key, value))
  }
  // A line without a part that must have a name has only empty cells for it.
  for (const [name, part] of parts) {
    const isEmpty = [...part.values()].every(value => value === undefined || value === null)
    if (!isEmpty || v.is(columns[name] ?? v.never(), {})) given.set(name, part)
  }
  return given
}

const cellsOf = (row: object, columnOf: (key: string) => string): [string, string][] =>
  Object.entries(row).flatMap(([key, value]): [string, string][] => {
    if (value === undefined) return []
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? cellsOf(value, inner => partColumn(key, inner)) : [[columnOf(key), cellOf(value)]]
  })

/** Reads the rows of a kind of records from files, and writes them. */
export type Format<Row> = {
  /** The columns of CSV files, in the order in which they are written. */
  columns: readonly Column[]
  /** A CSV record as a row; an unknown column is a problem of line 1. */
  parseRow(record: CsvRecord, line: number): Parsed<Row>
  /** True if a number in a CSV record has a decimal comma. */
  hasDecimalComma(record: CsvRecord): boolean
  /** A JSON object as a row, with the columns as its keys; null clears a nullable column. */
  parseJsonRow(value: unknown, line: number): Parsed<Row>
  /** The row as a CSV record that parseRow can read; columns that the row does not give are left out. */
  toCsvRecord(row: Row): Record<string, string>
}

/** The format of records with these fields; net or tax complete a price. */
export const formatOf = <const All extends FieldTable, const Needed extends string>(
  fields: All,
  needed: readonly Needed[],
  checks: Checks<RowOf<All, Needed>> = {},
): Format<RowOf<All, Needed>> => {
  const columns = columnsOf(fields, needed)
  const places = new Map(columns.map(column => [column.name, column]))
  const reading = { columns: entriesOf(fields, 'column'), needed, ...checks }
  return {
    columns,
    parseRow: (record, line) => {
      const parsed = readRow(givenIn(record, places, reading.columns), line, reading)
      // The header is wrong, not this line.
      const unknown = Object.keys(record).filter(column => !places.has(column))
      const problems = unknown.map(column => ({ line: 1, column, ...unknownColumn }))
      return problems.length > 0 ? { row: null, problems: [...problems, ...parsed.problems] } : parsed
    },
    hasDecimalComma: record =>
      Object.entries(record).some(([column, raw]) => {
        const cell = raw?.trim() ?? ''
        const place = places.get(column)
        return place !== undefined && withDecimalPoints(cell, place.schema) !== cell
      }),
    parseJsonRow: (value, line) => {
      const given = asMap(value)
      if (given) return readRow(given, line, reading)
      return { row: null, problems: [{ line, column: '', rule: 'type', expected: 'an object' }] }
    },
    toCsvRecord: row => Object.fromEntries(cellsOf(row, key => key)),
  }
}
