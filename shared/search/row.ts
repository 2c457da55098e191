import {
  type IdList,
  type IndexedField,
  idLists,
  indexedFields,
  searchableFields,
} from '../contract/records/wine-fields.ts'
import type { Scalar } from '../contract/schema/wine-query.ts'
import { fold } from '../values/text.ts'
import { wireText } from './values.ts'

/** A wine to be indexed; a missing field, as of a public wine, is null. */
export type IndexedWine = { id: number; winery?: { name: string } | null } & { [Field in IndexedField]?: Scalar } & {
  [List in IdList]?: readonly number[]
}

/** Separates the joined texts of a row. */
export const border = '\0'

/** A wine in the memtable: folded texts by slot, and joined; scalar values by column; ids by list. */
export type Row = {
  id: number
  version: number
  slots: readonly string[]
  text: string
  scalars: readonly Scalar[]
  lists: readonly (readonly number[])[]
}

/** The row of a wine at a version of its feed. */
export const rowOf = (wine: IndexedWine, version: number): Row => {
  const slots = searchableFields.map(slot => fold(wireText(slot === 'winery.name' ? wine.winery?.name : wine[slot])))
  return {
    id: wine.id,
    version,
    slots,
    text: slots.join(border),
    scalars: indexedFields.map(field => wine[field] ?? null),
    lists: idLists.map(field => wine[field] ?? []),
  }
}

const rowOverhead = 1_000

const textLength = (value: Scalar): number => (typeof value === 'string' ? value.length : 0)

/** Estimated heap bytes of a row. */
export const rowBytes = (row: Row): number => {
  const texts = [...row.slots, row.text, ...row.scalars].reduce<number>((sum, value) => sum + textLength(value), 0)
  return rowOverhead + 2 * texts + 8 * row.lists.reduce((sum, ids) => sum + ids.length, 0)
}
