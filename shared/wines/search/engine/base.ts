import { buildColumn, buildListColumn, type Column, columnBytes, type ListColumn, listAt, valueAt } from './columns.ts'
import { idLists, scalarFields } from './fields.ts'
import type { Row } from './row.ts'
import type { Sorting } from './sorting.ts'
import { buildText, recordBytes, recordText, type TextBuffer } from './text-buffer.ts'
import type { Scalar } from './values.ts'

/** The settled part of a catalogue, in rows of ascending id; only its caches (sortings, unpacked values) ever change. */
export type Base = {
  ids: Float64Array
  /** The catalogue version of each row's wine. */
  versions: Float64Array
  text: TextBuffer
  columns: Column[]
  lists: ListColumn[]
  sortings: Map<string, Sorting>
}

/** Where a row of a new base comes from: a row number of the old base, or a new row. */
type Origin = number | Row

/** A base of the old one's kept rows and the new rows; no id may come twice. */
export const buildBase = (rows: Row[], old?: Base, kept: number[] = []): Base => {
  const origins = inIdOrder(rows, old?.ids, kept)
  const pick = <Value>(from: (old: Base, row: number) => Value, made: (row: Row) => Value) =>
    origins.map(origin => (typeof origin === 'number' ? from(old as Base, origin) : made(origin)))
  const column = (number: number) => {
    const oldColumn = old?.columns[number] as Column
    return buildColumn(origins.length, row => {
      const origin = origins[row] as Origin
      return typeof origin === 'number' ? valueAt(oldColumn, origin) : (origin.scalars[number] as Scalar)
    })
  }
  const list = (number: number) => {
    const oldList = old?.lists[number] as ListColumn
    return buildListColumn(origins.length, row => {
      const origin = origins[row] as Origin
      return typeof origin === 'number' ? listAt(oldList, origin) : (origin.lists[number] as number[])
    })
  }
  return {
    ids: Float64Array.from(
      pick(
        (base, row) => base.ids[row] as number,
        row => row.id,
      ),
    ),
    versions: Float64Array.from(
      pick(
        (base, row) => base.versions[row] as number,
        row => row.version,
      ),
    ),
    text: buildText(
      pick<string | Buffer>(
        (base, row) => recordBytes(base.text, row),
        row => recordText(row.slots),
      ),
    ),
    columns: scalarFields.map((_, number) => column(number)),
    lists: idLists.map((_, number) => list(number)),
    sortings: new Map(),
  }
}

const inIdOrder = (rows: Row[], ids: Float64Array | undefined, kept: number[]): Origin[] => {
  const idOf = (origin: Origin): number => (typeof origin === 'number' ? (ids?.[origin] as number) : origin.id)
  return [...kept, ...rows].sort((a, b) => idOf(a) - idOf(b))
}

/** The row number of an id, or -1. */
export const rowOfId = ({ ids }: Base, id: number): number => {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] as number) < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id ? low : -1
}

/** Estimated bytes of a base with its caches. */
export const baseBytes = ({ ids, versions, text, columns, lists, sortings }: Base): number => {
  const columnsBytes = [...columns, ...lists].reduce((sum, column) => sum + columnBytes(column), 0)
  const sortingBytes = [...sortings.values()].reduce((sum, { rows }) => sum + rows.byteLength, 0)
  return ids.byteLength + versions.byteLength + text.bytes.length + text.starts.byteLength + columnsBytes + sortingBytes
}
