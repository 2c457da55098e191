import { completePrice, formatSum, parseMoney } from '../money.ts'
import { type Broken, type Fields, readValue } from './values.ts'

/** Why a line of an import cannot be taken: `rule` is a stable word, `expected` completes "must be …". */
export type RowProblem = { line: number; column: string } & Broken

/** What became of one line: the row, or everything that is wrong with it. */
export type Parsed<Row> = { row: Row; problems: [] } | { row: null; problems: RowProblem[] }

/** Takes down a broken rule of one column. */
export type Report = (column: string, broken: Broken) => void

/** What is said of a value that must be there. */
export const missing: Broken = { rule: 'required', expected: 'given' }

/** What is said of a column or key that no record has. */
export const unknownColumn: Broken = { rule: 'unknown_column', expected: 'a column of the import' }

/** The given values in their wire forms; what is missing, unknown or breaks a rule is reported. */
export const readFields = (
  given: ReadonlyMap<string, unknown>,
  fields: Fields,
  required: readonly string[],
  report: Report,
): Record<string, unknown> => {
  for (const key of required) if (given.get(key) === undefined) report(key, missing)
  for (const key of given.keys()) if (!Object.hasOwn(fields, key)) report(key, unknownColumn)
  const values: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(fields)) {
    const input = given.get(key)
    if (input === undefined) continue
    const read = readValue(schema, input)
    if ('value' in read) values[key] = read.value
    else report(key, read)
  }
  return values
}

/** An object or map as a map; undefined for anything else. */
export const asMap = (value: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (value instanceof Map) return value
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? new Map<string, unknown>(Object.entries(value)) : undefined
}

/** The columns of a price as a row gives them. */
export type GivenPrice = {
  gross?: string | undefined
  net?: string | undefined
  tax?: string | undefined
  taxrate?: number | undefined
}

const centsOf = (amount: string | undefined) => (amount === undefined ? undefined : parseMoney(amount))

/** Fills the columns of a price that gives net or tax, and reports one that contradicts itself; gross alone may stand. */
export const fillPrice = (row: GivenPrice, report: Report): void => {
  if (row.net === undefined && row.tax === undefined) return
  const { taxrate } = row
  if (taxrate === undefined) {
    report('taxrate', missing)
    return
  }
  const sum = completePrice({ gross: centsOf(row.gross), net: centsOf(row.net), tax: centsOf(row.tax), taxrate })
  if (sum !== 'inconsistent') Object.assign(row, formatSum(sum))
  else report('gross', { rule: 'price_inconsistent', expected: 'consistent with net, tax and taxrate' })
}

/** Many parsed lines: the rows with their lines, and all problems, each reported once. */
export const collected = <Row>(
  parsed: Iterable<{ row: Row | null; problems: readonly RowProblem[]; line: number }>,
) => {
  const rows: Row[] = []
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
