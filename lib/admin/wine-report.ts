import type { FieldChange, ImportPlan, Shown } from '../../shared/wines/import.ts'
import type { RowProblem } from '../../shared/wines/import-row.ts'

const shown = (value: Shown): string =>
  value === null ? 'nothing' : Array.isArray(value) ? value.join(', ') || 'nothing' : String(value)

const changeLine = ({ name, from, to }: FieldChange): string => `    ${name}: ${shown(from)} → ${shown(to)}`

/** A refused cell as a line: where, and what it must be. */
export const refusalLine = ({ line, column, expected }: RowProblem): string =>
  `  line ${line}, ${column || 'row'}: must be ${expected}`

/** What a plan would do, as lines for a person: additions, changes field by field, refusals with row and column. */
export const planLines = (plan: ImportPlan): string[] => [
  `${plan.additions.length} to add`,
  ...plan.additions.map(row => `  + ${row.articlenumber} ${row.name}`),
  `${plan.changes.length} to change`,
  ...plan.changes.flatMap(({ wine, fields }) => [`  ~ ${wine.articlenumber} ${wine.name}`, ...fields.map(changeLine)]),
  `${plan.unchanged} unchanged`,
  `${plan.refusals.length} refused`,
  ...plan.refusals.map(refusalLine),
]
