import type { ImportPlan } from '../../../shared/wines/import.ts'
import type { PlanView } from './plan-report.ts'

const titleOf = ({ articlenumber, name }: { articlenumber: string | null; name: string }) => `${articlenumber} ${name}`

/** A plan of wines as people see it. */
export const wineView = ({ additions, changes, unchanged, refusals }: ImportPlan): PlanView => ({
  additions: additions.map(titleOf),
  changes: changes.map(({ wine, fields }) => ({ title: titleOf(wine), fields })),
  unchanged,
  refusals,
})
