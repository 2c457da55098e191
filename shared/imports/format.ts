import type * as v from 'valibot'
import { cellsOf, cellValue, type ListCells } from './cells.ts'
import { asMap, fillPrice, type Parsed, type Report, type RowProblem, readFields, unknownColumn } from './parse.ts'
import type { Fields } from './values.ts'

/** A row of an import: the keys that every row gives, and those that it may. */
export type RowOf<Table extends Fields, Given extends keyof Table> = {
  [Key in Given]: v.InferOutput<Table[Key]>
} & { [Key in Exclude<keyof Table, Given>]?: v.InferOutput<Table[Key]> | undefined }

/** How the rows of one kind of records are read from files and written to them. */
export type Format<Row> = {
  /** Every column a CSV file may have, in the order in which files are written. */
  columns: readonly string[]
  /** A CSV record as a row. An empty cell clears a field that can be null or a list, and leaves any other alone. */
  parseRow(record: Readonly<Record<string, string | null>>, line: number): Parsed<Row>
  /** A JSON value as a row: an object with the columns as its keys; null clears a field that can be null. */
  parseJsonRow(value: unknown, line: number): Parsed<Row>
  /** The row as a CSV record that parseRow reads back. */
  toCsvRecord(row: Row): Record<string, string>
}

/** What a format is made from; `complete` checks a row whose values are good each for itself, and may fill it. */
export type Making<Row> = {
  fields: Fields
  required: readonly (keyof Row & string)[]
  lists?: ListCells
  complete?: (row: Partial<Row>, report: Report) => void
}

/** The format of records without parts of their own. A price is filled by its columns, as fillPrice does. */
export const formatOf = <Row extends object>({ fields, required, lists = {}, complete }: Making<Row>): Format<Row> => {
  const read = (given: ReadonlyMap<string, unknown>, line: number): Parsed<Row> => {
    const problems: RowProblem[] = []
    const report: Report = (column, broken) => problems.push({ line, column, ...broken })
    const row = readFields(given, fields, required, report)
    // What was refused above would only be refused a second time, in other words.
    if (problems.length === 0) fillPrice(row, report)
    if (problems.length === 0) complete?.(row as Partial<Row>, report)
    return problems.length > 0 ? { row: null, problems } : { row: row as Row, problems: [] }
  }

  const valueIn = (column: string, raw: string | null): unknown => {
    const cell = raw?.trim() ?? ''
    const schema = fields[column]
    return lists[column]?.(cell) ?? (schema && cellValue(schema, cell))
  }

  return {
    columns: Object.keys(fields),
    parseRow: (record, line) => {
      const known = Object.entries(record).filter(([column]) => Object.hasOwn(fields, column))
      const unknown = Object.keys(record).filter(column => !Object.hasOwn(fields, column))
      const parsed = read(new Map(known.map(([column, raw]) => [column, valueIn(column, raw)])), line)
      if (unknown.length === 0) return parsed
      // The header is wrong, not this line.
      const problems = unknown.map(column => ({ line: 1, column, ...unknownColumn }))
      return { row: null, problems: [...problems, ...parsed.problems] }
    },
    parseJsonRow: (value, line) => {
      const given = asMap(value)
      if (given) return read(given, line)
      return { row: null, problems: [{ line, column: '', rule: 'type', expected: 'an object' }] }
    },
    toCsvRecord: row => cellsOf(row),
  }
}
