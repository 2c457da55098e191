import { idLists, indexedFields } from '../contract/records/wine-fields.ts'
import { defaultSortOrder, type Scalar } from '../contract/schema/wine-query.ts'
import { type Bits, countBits, hasBit, noBits } from './bits.ts'
import { buildLexicon } from './build-lexicon.ts'
import {
  buildColumn,
  buildListColumn,
  type Column,
  columnAt,
  columnBytes,
  type ListColumn,
  listAt,
  valueAt,
} from './columns.ts'
import { type Lexicon, lexiconBytes } from './lexicon.ts'
import { mergeLexicons, type Origin } from './merge-lexicon.ts'
import { lowerBound, numberAt } from './numbers.ts'
import type { PackedParts } from './packed-parts.ts'
import type { Row } from './row.ts'
import { comparison, newSortings, type Sortable, type Sortings } from './sorting.ts'

/**
 * An immutable index of wines; only structures that are derived when first needed are added. Its rows are in the default
 * order, so that the first hits are the first page in that order.
 */
export type Segment = {
  ids: Float64Array
  /** The version of the feed at which each row's wine was last changed. */
  versions: Float64Array
  /** The rows by ascending id. */
  byId: Uint32Array
  lexicon: Lexicon
  /** A column for each scalar field and each id list, in their order. */
  columns: Column[]
  lists: ListColumn[]
  sortings: Sortings
  /** The parts of a segment from a snapshot that may still be packed, or not be read yet. */
  parts?: PackedParts
}

/** The row number of an id, or -1. */
export const rowOfId = ({ ids, byId }: Segment, id: number): number => {
  const place = lowerBound(byId.length, n => numberAt(ids, numberAt(byId, n)) >= id)
  const row = byId[place] ?? -1
  return ids[row] === id ? row : -1
}

/** The lowest and the highest id of a segment. */
export const idRangeOf = ({ ids, byId }: Segment): [number, number] => [
  ids[byId[0] ?? 0] ?? Number.POSITIVE_INFINITY,
  ids[byId.at(-1) ?? 0] ?? Number.NEGATIVE_INFINITY,
]

const sortedById = (ids: Float64Array): Uint32Array =>
  Uint32Array.from(ids.keys()).sort((a, b) => numberAt(ids, a) - numberAt(ids, b))

/** A row of a segment, for comparisons. */
export const sortableAt = ({ ids, columns }: Segment, row: number): Sortable => ({
  id: numberAt(ids, row),
  valueOf: column => valueAt(columnAt(columns, column), row),
})

/** A row of the memtable, for comparisons. */
export const sortableOf = ({ id, scalars }: Row): Sortable => ({ id, valueOf: column => scalars[column] ?? null })

export const inDefaultOrder = (rows: readonly Row[]): Row[] => {
  const compare = comparison(defaultSortOrder)
  return rows
    .map(row => ({ row, sortable: sortableOf(row) }))
    .sort((a, b) => compare(a.sortable, b.sortable))
    .map(({ row }) => row)
}

/** True if the rows of a segment are in the default order by this Node's collation. */
export const isInDefaultOrder = (segment: Segment): boolean => {
  const compare = comparison(defaultSortOrder)
  return segment.ids.every((_, row) => row === 0 || compare(sortableAt(segment, row - 1), sortableAt(segment, row)) < 0)
}

/** A segment of rows with distinct ids. */
export const buildSegment = (given: readonly Row[]): Segment => {
  const rows = inDefaultOrder(given)
  const ids = Float64Array.from(rows, ({ id }) => id)
  const columns = indexedFields.map((_, place) => buildColumn(rows.map(({ scalars }) => scalars[place] ?? null)))
  const lists = idLists.map((_, place) => buildListColumn(rows.map(({ lists }) => lists[place] ?? [])))
  return {
    ids,
    versions: Float64Array.from(rows, ({ version }) => version),
    byId: sortedById(ids),
    lexicon: buildLexicon(rows.map(({ slots }) => slots)),
    columns,
    lists,
    sortings: newSortings(),
  }
}

/** A segment with its tombstones: the rows of wines that were changed or removed since. */
export type LiveSegment = { segment: Segment; tombstones: Bits }

/** A segment without tombstones. */
export const liveSegment = (segment: Segment): LiveSegment => ({ segment, tombstones: noBits(segment.ids.length) })

const originsOf = (parts: readonly LiveSegment[]): Origin[] => {
  const compare = comparison(defaultSortOrder)
  return parts
    .flatMap(({ segment, tombstones }, part) =>
      Array.from(segment.ids.keys())
        .filter(row => !hasBit(tombstones, row))
        .map(row => ({ part, row, sortable: sortableAt(segment, row) })),
    )
    .sort((a, b) => compare(a.sortable, b.sortable))
    .map(({ part, row }) => ({ part, row }))
}

/** A segment of the live rows of several, sorted again. */
export const mergeSegments = (parts: readonly LiveSegment[]): Segment => {
  const origins = originsOf(parts)
  const places = parts.map(({ segment }) => new Int32Array(segment.ids.length).fill(-1))
  for (const [place, { part, row }] of origins.entries()) places[part][row] = place
  const segmentOf = (part: number): Segment => parts[part].segment
  const pick = <Value>(of: (segment: Segment, row: number) => Value): Value[] =>
    origins.map(({ part, row }) => of(segmentOf(part), row))
  const ids = Float64Array.from(pick(({ ids: own }, row) => numberAt(own, row)))
  const lexicons = parts.map(({ segment }, part) => ({ lexicon: segment.lexicon, places: places[part] }))
  return {
    ids,
    versions: Float64Array.from(pick(({ versions }, row) => numberAt(versions, row))),
    byId: sortedById(ids),
    lexicon: mergeLexicons(lexicons, origins),
    columns: indexedFields.map((_, place) =>
      buildColumn(pick<Scalar>(({ columns }, row) => valueAt(columnAt(columns, place), row))),
    ),
    lists: idLists.map((_, place) =>
      buildListColumn(pick<number[]>(({ lists }, row) => listAt(columnAt(lists, place), row))),
    ),
    sortings: newSortings(),
  }
}

/** The number of rows that are not tombstones. */
export const liveRows = ({ segment, tombstones }: LiveSegment): number => segment.ids.length - countBits(tombstones)

/** Estimated bytes of a segment with its derived structures. */
export const segmentBytes = ({ ids, versions, byId, lexicon, columns, lists, sortings }: Segment): number => {
  const columnsBytes = [...columns, ...lists].reduce((sum, column) => sum + columnBytes(column), 0)
  const sortingBytes = [...sortings.values()].reduce(
    (sum, { rows, places }) => sum + rows.byteLength + (places?.byteLength ?? 0),
    0,
  )
  return ids.byteLength + versions.byteLength + byId.byteLength + lexiconBytes(lexicon) + columnsBytes + sortingBytes
}
