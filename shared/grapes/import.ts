import { filled, Id } from '../contract/wire.ts'
import { type Format, formatOf } from '../imports/format.ts'
import { type Plan, planRows } from '../imports/plan.ts'
import type { Grape } from './record.ts'

/** How grapes stand in files: the id that wines use, and the name. */
export const grapeFormat: Format<Grape> = formatOf({ fields: { id: Id, name: filled() }, required: ['id', 'name'] })

const rowOf = ({ id, name }: Grape): Grape => ({ id, name })

/** What importing the rows would do to the grapes of one merchant. */
export const planGrapes = (
  grapes: readonly Grape[],
  rows: readonly Grape[],
  lines?: readonly number[],
): Plan<Grape, Grape> => planRows(grapes, rows, { column: 'id', noun: 'grape', rowOf }, lines)

/** The grapes as rows. */
export const exportGrapes = (grapes: readonly Grape[]): Grape[] => grapes.map(rowOf)
