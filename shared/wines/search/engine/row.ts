import { fold } from '../../../text.ts'
import type { Wine } from '../../record.ts'
import { idLists, scalarFields, searchableFields } from './fields.ts'
import { type Scalar, wireText } from './values.ts'

/** A wine as the index takes it; a public projection lacks fields, which count as null. */
export type IndexedWine = Pick<Wine, 'id'> & Partial<Omit<Wine, 'winery'>> & { winery?: { name: string } | null }

/** What the index remembers of one wine: folded texts by slot, scalar values by column, ids by list. */
export type Row = { id: number; version: number; slots: string[]; scalars: Scalar[]; lists: number[][] }

/** The row of a wine as it was at a catalogue version. */
export const rowOf = (wine: IndexedWine, version: number): Row => ({
  id: wine.id,
  version,
  slots: searchableFields.map(slot => fold(wireText(slot === 'winery.name' ? wine.winery?.name : wine[slot]))),
  scalars: scalarFields.map(field => wine[field] ?? null),
  lists: idLists.map(field => wine[field] ?? []),
})

const rowOverhead = 1_000

/** Estimated heap bytes of a row. */
export const rowBytes = (row: Row): number => {
  const texts = [...row.slots, ...row.scalars].reduce<number>((sum, value) => sum + textLength(value), 0)
  return rowOverhead + 2 * texts + 8 * row.lists.reduce((sum, ids) => sum + ids.length, 0)
}

const textLength = (value: Scalar): number => (typeof value === 'string' ? value.length : 0)
