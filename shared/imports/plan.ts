import { givenOnly } from './objects.ts'
import type { RowProblem } from './parse.ts'
import type { RangePrice } from './values.ts'

/** A value as a plan shows it; prices are shown as `name=amount`. */
export type Shown = string | number | null | readonly (string | number)[]

/** One field that an import would change. */
export type FieldChange = { name: string; from: Shown; to: Shown }

/** Refuses the row at hand. */
export type Refuse = (column: string, rule: string, expected: string) => void

/** What an import would do; refused rows are in none of the other parts. */
export type Plan<Row, Found> = {
  additions: Row[]
  changes: { record: Found; row: Row; fields: FieldChange[] }[]
  /** Records that the import would take away; none where a file says nothing of what it leaves out. */
  removals: Found[]
  unchanged: number
  refusals: RowProblem[]
}

/** Prices as a plan shows them. */
export const shownPrices = (prices: readonly RangePrice[]): string[] =>
  prices.map(({ priceRange, gross }) => `${priceRange}=${gross}`)

const shown = (value: unknown): Shown => {
  if (!Array.isArray(value)) return (value ?? null) as Shown
  return value.every(item => typeof item === 'object') ? shownPrices(value) : value
}

const inOrder = (items: readonly (string | number)[]) => items.toSorted((a, b) => (a < b ? -1 : Number(a > b)))

/** Whether two values say the same; the order of a list does not count. */
export const isSame = (a: Shown, b: Shown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b)) : a === b

/** The fields in which a row differs from what is there; what the row does not give stays out. */
export const fieldChanges = (before: object, row: object): FieldChange[] =>
  Object.entries(givenOnly(row))
    .map(([name, value]) => ({ name, from: shown((before as Record<string, unknown>)[name]), to: shown(value) }))
    .filter(({ from, to }) => !isSame(from, to))

/** Refuses a value of a column that an earlier line has. */
export const onceOnly = (column: string) => {
  const seen = new Map<unknown, number>()
  return (value: unknown, line: number, refuse: Refuse): void => {
    const first = seen.get(value)
    if (first === undefined) seen.set(value, line)
    else refuse(column, 'duplicate', `given once, and is on line ${first} already`)
  }
}

/** How rows find their records. */
export type Planning<Row, Found> = {
  /** The column whose value tells which record a row is. */
  column: keyof Row & string
  /** What such a record is called in a refusal. */
  noun: string
  /** The row that says all of a record. */
  rowOf(record: Found): Row
  /** Refuses a row that adds or changes over what it makes of its record: the row, filled up by what is there already. */
  check?(whole: Row, refuse: Refuse): void
}

/**
 * What importing the rows would do to the records of one merchant. `lines` are the rows' lines for the refusals, by
 * default 1, 2, 3 …
 */
export const planRows = <Row extends object, Found>(
  existing: readonly Found[],
  rows: readonly Row[],
  { column, noun, rowOf, check }: Planning<Row, Found>,
  lines?: readonly number[],
): Plan<Row, Found> => {
  const byKey = Map.groupBy(existing, record => rowOf(record)[column])
  const checkKey = onceOnly(column)
  const plan: Plan<Row, Found> = { additions: [], changes: [], removals: [], unchanged: 0, refusals: [] }
  for (const [index, row] of rows.entries()) {
    const line = lines?.[index] ?? index + 1
    const refusalsBefore = plan.refusals.length
    const refuse: Refuse = (name, rule, expected) => plan.refusals.push({ line, column: name, rule, expected })
    const [record, ...others] = byKey.get(row[column]) ?? []
    const before = record && rowOf(record)

    const fields = before ? fieldChanges(before, row) : []
    const isUnchanged = before !== undefined && fields.length === 0

    checkKey(row[column], line, refuse)
    if (others.length > 0) refuse(column, 'ambiguous', `that of a single ${noun}`)
    // What stands there already may be as it is; only a row that writes has to be right as a whole.
    if (!isUnchanged) check?.({ ...before, ...givenOnly(row) } as Row, refuse)
    if (plan.refusals.length > refusalsBefore) continue

    if (!record) plan.additions.push(row)
    else if (isUnchanged) plan.unchanged += 1
    else plan.changes.push({ record, row, fields })
  }
  return plan
}
