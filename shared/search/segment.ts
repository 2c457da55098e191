import { idLists, scalarFields } from '../contract/records/wine-fields.ts'
import { defaultSortOrder, type Scalar } from '../contract/wine-query.ts'
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
import { firstPlace, numberAt } from './numbers.ts'
import type { PackedParts } from './packed-parts.ts'
import type { Row } from './row.ts'
import { comparison, newSortings, type Sortable, type Sortings } from './sorting.ts'

/**
 * An index of wines that never changes; only what is made from it when first needed is added. Its rows stand in the
 * default order, so that a page of that order begins any list of hits.
 */
export type Segment = {
  ids: Float64Array
  /** The version of the feed at which each row's wine changed last. */
  versions: Float64Array
  /** The rows by ascending id. */
  byId: Uint32Array
  lexicon: Lexicon
  /** One for each scalar field, and one for each id list, in their order. */
  columns: Column[]
  lists: ListColumn[]
  sortings: Sortings
  /** Of a segment that was packed, what of it may still be packed, or not be read yet. */
  parts?: PackedParts
}

/** The row number of an id, or -1. */
export const rowOfId = ({ ids, byId }: Segment, id: number): number => {
  const place = firstPlace(byId.length, n => numberAt(ids, numberAt(byId, n)) >= id)
  const row = byId[place] ?? -1
  return ids[row] === id ? row : -1
}

/** The least id of a segment, and the greatest one. */
export const idRangeOf = ({ ids, byId }: Segment): [number, number] => [
  ids[byId[0] ?? 0] ?? Number.POSITIVE_INFINITY,
  ids[byId.at(-1) ?? 0] ?? Number.NEGATIVE_INFINITY,
]

const sortedById = (ids: Float64Array): Uint32Array =>
  Uint32Array.from(ids.keys()).sort((a, b) => numberAt(ids, a) - numberAt(ids, b))

/** A row of a segment as orders see it. */
export const sortableAt = ({ ids, columns }: Segment, row: number): Sortable => ({
  id: numberAt(ids, row),
  valueOf: column => valueAt(columnAt(columns, column), row),
})

/** A row outside of segments as orders see it. */
export const sortableOf = ({ id, scalars }: Row): Sortable => ({ id, valueOf: column => scalars[column] ?? null })

/** Rows in the default order. */
export const inDefaultOrder = (rows: readonly Row[]): Row[] => {
  const compare = comparison(defaultSortOrder)
  return rows
    .map(row => ({ row, sortable: sortableOf(row) }))
    .sort((a, b) => compare(a.sortable, b.sortable))
    .map(({ row }) => row)
}

/** Whether the rows of a segment stand in the default order, as this Node's collation has it. */
export const isInDefaultOrder = (segment: Segment): boolean => {
  const compare = comparison(defaultSortOrder)
  return segment.ids.every((_, row) => row === 0 || compare(sortableAt(segment, row - 1), sortableAt(segment, row)) < 0)
}

/** A segment of rows, of which no two have one id. */
export const buildSegment = (given: readonly Row[]): Segment => {
  const rows = inDefaultOrder(given)
  const ids = Float64Array.from(rows, ({ id }) => id)
  const columns = scalarFields.map((_, place) => buildColumn(rows.map(({ scalars }) => scalars[place] ?? null)))
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

/** A segment, and the rows of wines that changed or were removed since. */
export type Living = { segment: Segment; tombstones: Bits }

/** A segment without tombstones. */
export const livingOf = (segment: Segment): Living => ({ segment, tombstones: noBits(segment.ids.length) })

const originsOf = (parts: readonly Living[]): Origin[] => {
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

/** One segment of the rows of several that are not gone; the rows are put in order anew. */
export const mergeSegments = (parts: readonly Living[]): Segment => {
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
    columns: scalarFields.map((_, place) =>
      buildColumn(pick<Scalar>(({ columns }, row) => valueAt(columnAt(columns, place), row))),
    ),
    lists: idLists.map((_, place) =>
      buildListColumn(pick<number[]>(({ lists }, row) => listAt(columnAt(lists, place), row))),
    ),
    sortings: newSortings(),
  }
}

/** How many rows are not tombstones. */
export const livingRows = ({ segment, tombstones }: Living): number => segment.ids.length - countBits(tombstones)

/** Estimated bytes of a segment with what was made from it. */
export const segmentBytes = ({ ids, versions, byId, lexicon, columns, lists, sortings }: Segment): number => {
  const columnsBytes = [...columns, ...lists].reduce((sum, column) => sum + columnBytes(column), 0)
  const sortingBytes = [...sortings.values()].reduce(
    (sum, { rows, places }) => sum + rows.byteLength + (places?.byteLength ?? 0),
    0,
  )
  return ids.byteLength + versions.byteLength + byId.byteLength + lexiconBytes(lexicon) + columnsBytes + sortingBytes
}
