import { filled } from '../contract/wire.ts'
import { type Format, formatOf } from '../imports/format.ts'
import { type Plan, planRows } from '../imports/plan.ts'
import type { PriceRange } from './record.ts'

/** One price range as an import gives it: its name is all there is to say. */
export type PriceRangeRow = { name: string }

/** How price ranges stand in files. */
export const priceRangeFormat: Format<PriceRangeRow> = formatOf({ fields: { name: filled() }, required: ['name'] })

const rowOf = ({ name }: PriceRange): PriceRangeRow => ({ name })

/** What importing the rows would do to the price ranges of one merchant. */
export const planPriceRanges = (
  ranges: readonly PriceRange[],
  rows: readonly PriceRangeRow[],
  lines?: readonly number[],
): Plan<PriceRangeRow, PriceRange> => planRows(ranges, rows, { column: 'name', noun: 'price range', rowOf }, lines)

/** The price ranges as rows. */
export const exportPriceRanges = (ranges: readonly PriceRange[]): PriceRangeRow[] => ranges.map(rowOf)
