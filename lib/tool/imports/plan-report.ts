import type { RowProblem } from '../../../shared/imports/parse.ts'
import type { FieldChange, Plan, Shown } from '../../../shared/imports/plan.ts'

/** A plan as people see it: every record by its title. */
export type PlanView = {
  additions: string[]
  changes: { title: string; fields: FieldChange[] }[]
  /** Only where a file is the whole list. */
  removals?: string[]
  unchanged: number
  refusals: RowProblem[]
}

const shown = (value: Shown): string =>
  value === null ? 'nothing' : Array.isArray(value) ? value.join(', ') || 'nothing' : String(value)

const changeLine = ({ name, from, to }: FieldChange): string => `    ${name}: ${shown(from)} → ${shown(to)}`

/** A refused cell as a line: where, and what it must be. */
const refusalLine = ({ line, column, expected }: RowProblem): string =>
  `  line ${line}, ${column || 'row'}: must be ${expected}`

const refusalLines = (refusals: readonly RowProblem[]): string[] => [
  `${refusals.length} refused`,
  ...refusals.map(refusalLine),
]

/** What a plan would do, as lines for a person: additions, changes field by field, refusals with row and column. */
export const planLines = ({ additions, changes, removals, unchanged, refusals }: PlanView): string[] => [
  `${additions.length} to add`,
  ...additions.map(title => `  + ${title}`),
  `${changes.length} to change`,
  ...changes.flatMap(({ title, fields }) => [`  ~ ${title}`, ...fields.map(changeLine)]),
  ...(removals ? [`${removals.length} to remove`, ...removals.map(title => `  - ${title}`)] : []),
  `${unchanged} unchanged`,
  ...refusalLines(refusals),
]

/** Why nothing of a file is imported, as one text. */
export const refusalText = ({ unchanged, refusals }: PlanView): string =>
  [`0 to add`, `0 to change`, `${unchanged} unchanged`, ...refusalLines(refusals)].join('\n')

/** A plan with the titles of its records; `isWholeList` shows what goes, too. */
export const viewOf = <Row, Found>(
  { additions, changes, removals, unchanged, refusals }: Plan<Row, Found>,
  titleOf: (one: Row | Found) => string,
  isWholeList: boolean,
): PlanView => ({
  additions: additions.map(titleOf),
  changes: changes.map(({ record, fields }) => ({ title: titleOf(record), fields })),
  ...(isWholeList && { removals: removals.map(titleOf) }),
  unchanged,
  refusals,
})
