import { idLists, scalarFields } from '../../../contract/records/wine-fields.ts'
import { buildColumn, buildListColumn, type Column, columnBytes, type ListColumn, listAt, valueAt } from './columns.ts'
import { firstPlace, numberAt } from './numbers.ts'
import type { Row } from './row.ts'
import { newSortings, type Sortings } from './sorting.ts'
import { buildText, recordBytes, recordText, type TextBuffer } from './text-buffer.ts'

/** The settled part of an index, in rows of ascending id; only its caches (sortings, unpacked values) ever change. */
export type Base = {
  ids: Float64Array
  /** The version of the feed at which each row's wine changed last. */
  versions: Float64Array
  text: TextBuffer
  /** One for each scalar field, and one for each id list, in their order. */
  columns: Column[]
  lists: ListColumn[]
  sortings: Sortings
}

const noRows: Base = {
  ids: new Float64Array(),
  versions: new Float64Array(),
  text: buildText([]),
  columns: scalarFields.map(() => buildColumn([])),
  lists: idLists.map(() => buildListColumn([])),
  sortings: newSortings(),
}

/** Where a row of a new base comes from: a row number of the old base, or a new row. */
type Origin = number | Row

const inIdOrder = (rows: readonly Row[], { ids }: Base, kept: readonly number[]): Origin[] => {
  const idOf = (origin: Origin): number => (typeof origin === 'number' ? numberAt(ids, origin) : origin.id)
  return [...kept, ...rows].sort((a, b) => idOf(a) - idOf(b))
}

/** A base of the old one's kept rows and the new rows; no id may come twice. */
export const buildBase = (rows: readonly Row[], old = noRows, kept: readonly number[] = []): Base => {
  const origins = inIdOrder(rows, old, kept)
  const pick = <Value>(fromOld: (row: number) => Value, fromNew: (row: Row) => Value): Value[] =>
    origins.map(origin => (typeof origin === 'number' ? fromOld(origin) : fromNew(origin)))
  const numbers = (olds: Float64Array, fromNew: (row: Row) => number) =>
    Float64Array.from(pick(row => numberAt(olds, row), fromNew))
  return {
    ids: numbers(old.ids, row => row.id),
    versions: numbers(old.versions, row => row.version),
    text: buildText(
      pick<string | Buffer>(
        row => recordBytes(old.text, row),
        row => recordText(row.slots),
      ),
    ),
    columns: old.columns.map((column, place) =>
      buildColumn(
        pick(
          row => valueAt(column, row),
          row => row.scalars[place] ?? null,
        ),
      ),
    ),
    lists: old.lists.map((list, place) =>
      buildListColumn(
        pick(
          row => listAt(list, row),
          row => row.lists[place] ?? [],
        ),
      ),
    ),
    sortings: newSortings(),
  }
}

/** The row number of an id, or -1. */
export const rowOfId = ({ ids }: Base, id: number): number => {
  const row = firstPlace(ids.length, place => numberAt(ids, place) >= id)
  return ids[row] === id ? row : -1
}

/** Estimated bytes of a base with its caches. */
export const baseBytes = ({ ids, versions, text, columns, lists, sortings }: Base): number => {
  const columnsBytes = [...columns, ...lists].reduce((sum, column) => sum + columnBytes(column), 0)
  const sortingBytes = [...sortings.values()].reduce((sum, { rows }) => sum + rows.byteLength, 0)
  return ids.byteLength + versions.byteLength + text.bytes.length + text.starts.byteLength + columnsBytes + sortingBytes
}
