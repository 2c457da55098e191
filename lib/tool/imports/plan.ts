import { findOversized } from '../../../shared/contract/records/size.ts'
import { givenOnly } from '../../../shared/contract/schema/fields.ts'
import { itemText } from './cells.ts'
import type { RowProblem } from './rows.ts'

/** A value in a plan; prices are `name=amount`. */
type Shown = string | number | null | readonly (string | number)[]

/** A field that an import would change. */
export type FieldChange = { name: string; from: Shown; to: Shown }

/** Refuses the current row. */
export type Refuse = (column: string, rule: string, expected: string) => void

/** The effects of an import; refused rows are in `refusals` only. */
export type Plan<Row, Found> = {
  additions: Row[]
  changes: { record: Found; row: Row; fields: FieldChange[] }[]
  /** Wines of which the import makes the next vintage, with the fields in which it differs. */
  rollOvers: { record: Found; row: Row; fields: FieldChange[] }[]
  /** Records that the import deletes, if a file is the whole list. */
  removals: Found[]
  unchanged: number
  refusals: RowProblem[]
}

/** A plan that does nothing. */
export const emptyPlan = <Row, Found>(): Plan<Row, Found> => ({
  ...{ additions: [], changes: [], rollOvers: [], removals: [], unchanged: 0, refusals: [] },
})

const itemShown = (item: unknown): string | number => (typeof item === 'number' ? item : itemText(item))

const showValue = (value: unknown): Shown => {
  if (Array.isArray(value)) return value.map(itemShown)
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

const inOrder = (items: readonly (string | number)[]) => items.toSorted((a, b) => (a < b ? -1 : Number(a > b)))

const isList = (value: Shown): value is readonly (string | number)[] => Array.isArray(value)

/** True if two values are equal, apart from the order of a list. */
const isSame = (a: Shown, b: Shown): boolean =>
  isList(a) && isList(b) ? JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b)) : a === b

/** The fields that a row gives and in which it differs from the record. */
export const fieldChanges = (before: object, row: object): FieldChange[] => {
  const present: Readonly<Record<string, unknown>> = { ...before }
  return Object.entries(givenOnly(row))
    .map(([name, value]) => ({ name, from: showValue(present[name]), to: showValue(value) }))
    .filter(({ from, to }) => !isSame(from, to))
}

/** The records that a row can name: those whose key no other has. */
export const namedAlone = <Found>(records: readonly Found[], keyOf: (one: Found) => unknown): Found[] =>
  [...Map.groupBy(records, keyOf).values()].flatMap(all => (all.length === 1 ? all : []))

/** Returns a check that refuses a value of an earlier line. */
export const onceOnly = (column: string) => {
  const seen = new Map<unknown, number>()
  return (value: unknown, line: number, refuse: Refuse): void => {
    const first = seen.get(value)
    if (first === undefined) seen.set(value, line)
    else refuse(column, 'duplicate', `given once, and is on line ${first} already`)
  }
}

/** A row with its line, its record, if any, and the complete row of that. */
type PlannedRow<Row, Found> = { row: Row; line: number; record: Found | undefined; before: Row | undefined }

/** How rows are matched with records and checked. */
export type Planning<Row, Found> = {
  /** The column that identifies the record of a row. */
  column: keyof Row & keyof Found & string
  /** The key that a row and its record have in common; by default the value of the column. */
  keyOf?(one: Row | Found): unknown
  /** The rule that a value breaks if several records have it. */
  single: string
  /** The complete row of a record. */
  rowOf(record: Found): Row
  /** The blank next vintage of a record, if a row makes it instead of changing the record. */
  nextOf?(record: Found, row: Row): Found | undefined
  /** The fields of a record that a row changes; by default those in which the record's own row differs. */
  changes?(record: Found, before: Row, row: Row): FieldChange[]
  /**
   * Checks a row that adds or changes a record: `whole` is the row completed by its record. Unchanged records are not
   * checked.
   */
  check?(whole: Row, refuse: Refuse, planned: PlannedRow<Row, Found>): void
  /** The largest record that a whole row can make; left out if no record of the kind can be too large. */
  recordOf?(whole: Row, record: Found | undefined): object
}

/**
 * The plan of an import into the records of a merchant. `lines` are the rows' lines in refusals, by default 1, 2, 3 …
 */
export const planRows = <Row extends object, Found>(
  existing: readonly Found[],
  rows: readonly Row[],
  {
    column,
    single,
    rowOf,
    keyOf = one => one[column],
    changes = (_, before, row) => fieldChanges(before, row),
    ...more
  }: Planning<Row, Found>,
  lines?: readonly number[],
): Plan<Row, Found> => {
  const present = Map.groupBy<unknown, Found>(existing, keyOf)
  const checkKey = onceOnly(column)
  const plan = emptyPlan<Row, Found>()
  for (const [index, row] of rows.entries()) {
    const line = lines?.[index] ?? index + 1
    const refusalsBefore = plan.refusals.length
    const refuse: Refuse = (name, rule, expected) => plan.refusals.push({ line, column: name, rule, expected })
    const key = keyOf(row)
    const [found, ...others] = present.get(key) ?? []
    const next = found && more.nextOf?.(found, row)
    const record = next ?? found
    const before = record && rowOf(record)
    // The id names a record, and stays.
    const fields = record && before ? changes(record, before, row).filter(({ name }) => name !== 'id') : []
    const isUnchanged = record !== undefined && fields.length === 0

    checkKey(key, line, refuse)
    if (others.length > 0) refuse(column, 'ambiguous', single)
    if (!isUnchanged) {
      const whole = { ...row, ...before, ...givenOnly(row) }
      more.check?.(whole, refuse, { row, line, record, before })
      const made = plan.refusals.length === refusalsBefore && more.recordOf?.(whole, record)
      const broken =
        made && findOversized(made, row, record && before ? (more.recordOf?.(before, record) ?? null) : null)
      if (broken) refuse(broken.field ?? column, broken.rule, broken.expected)
    }
    if (plan.refusals.length > refusalsBefore) continue

    if (!record) plan.additions.push(row)
    else if (found && next) plan.rollOvers.push({ record: found, row, fields })
    else if (isUnchanged) plan.unchanged += 1
    else plan.changes.push({ record, row, fields })
  }
  return plan
}

/** A plan with the titles of its records. */
export type PlanView = {
  additions: string[]
  changes: { title: string; fields: FieldChange[] }[]
  /** Only if there are any. */
  rollOvers?: { title: string; fields: FieldChange[] }[]
  /** Only if a file is the whole list. */
  removals?: string[]
  unchanged: number
  refusals: RowProblem[]
}

/** Returns the view of a plan, with removals if a file is the whole list. */
export const viewOf = <Row, Found>(
  { additions, changes, rollOvers, removals, unchanged, refusals }: Plan<Row, Found>,
  titleOf: (one: Row | Found) => string,
  isWholeList = false,
): PlanView => ({
  additions: additions.map(titleOf),
  changes: changes.map(({ record, fields }) => ({ title: titleOf(record), fields })),
  ...(rollOvers.length > 0 && {
    rollOvers: rollOvers.map(({ record, fields }) => ({ title: titleOf(record), fields })),
  }),
  ...(isWholeList && { removals: removals.map(titleOf) }),
  unchanged,
  refusals,
})

const text = (value: Shown): string =>
  value === null ? 'nothing' : isList(value) ? value.join(', ') || 'nothing' : String(value)

const changeLine = ({ name, from, to }: FieldChange): string => `    ${name}: ${text(from)} → ${text(to)}`

const refusalLine = ({ line, column, expected }: RowProblem): string =>
  `  line ${line}, ${column || 'row'}: must be ${expected}`

const refusalLines = (refusals: readonly RowProblem[]): string[] => [
  `${refusals.length} refused`,
  ...refusals.map(refusalLine),
]

/** A plan as lines of text: additions, changes field by field, refusals with line and column. */
export const planLines = ({ additions, changes, rollOvers, removals, unchanged, refusals }: PlanView): string[] => [
  `${additions.length} to add`,
  ...additions.map(title => `  + ${title}`),
  `${changes.length} to change`,
  ...changes.flatMap(({ title, fields }) => [`  ~ ${title}`, ...fields.map(changeLine)]),
  ...(rollOvers ? [`${rollOvers.length} to roll over`] : []),
  ...(rollOvers ?? []).flatMap(({ title, fields }) => [`  > ${title}`, ...fields.map(changeLine)]),
  ...(removals ? [`${removals.length} to remove`, ...removals.map(title => `  - ${title}`)] : []),
  `${unchanged} unchanged`,
  ...refusalLines(refusals),
]

/** The text of a refused import. */
export const refusalText = ({ unchanged, refusals }: PlanView): string =>
  [`0 to add`, `0 to change`, `${unchanged} unchanged`, ...refusalLines(refusals)].join('\n')
