import { type FilterField, type FlagField, flagFields } from '../contract/records/wine-fields.ts'
import {
  type Condition,
  defaultSortOrder,
  type Filter,
  type Query,
  type SortOrder,
} from '../contract/schema/wine-query.ts'
import { fullBits, hasBit, intersect, setBit, subtract } from './bits.ts'
import { compact } from './compaction.ts'
import { type CountedValues, countsOf, distinctOf } from './facets.ts'
import { type Hits, idsBetween } from './hits.ts'
import { type Test, testsOf } from './matching.ts'
import { numberAt } from './numbers.ts'
import type { NotRead } from './packed-parts.ts'
import { type IndexedWine, type Row, rowBytes, rowOf } from './row.ts'
import {
  buildSegment,
  idRangeOf,
  inDefaultOrder,
  type LiveSegment,
  liveRows,
  liveSegment,
  rowOfId,
  segmentBytes,
} from './segment.ts'

/** A wine as of a version of its feed, or its removal. */
export type Change =
  | { version: number; wine: IndexedWine; removed?: undefined }
  | { version: number; id: number; removed: true }

/** The part of the hits to return: a page from 1 on, or `max` hits from `start` on; all by default. */
type Slice = { page: number; pageSize: number } | { page?: undefined; start?: number; max?: number }

/** The criteria that hits meet, already parsed. */
export type Criteria = { query?: Query; filter?: Filter; flags?: Partial<Record<FlagField, 0 | 1>> }

export type Search = Slice & Criteria & { order?: SortOrder }

/** Distinct values by field, sorted, without null. */
type Distinct = Partial<Record<FilterField, (string | number)[]>>

/** Distinct values by field, sorted, without null, each with its number of wines. */
export type Counted = Partial<Record<FilterField, CountedValues>>

const flagFilter = (flags: Criteria['flags'] = {}): Condition[] =>
  flagFields.flatMap(field => {
    const flag = flags[field]
    return flag === undefined ? [] : [{ field, keys: [flag] }]
  })

const testsFor = ({ query, filter = [], flags }: Criteria): Test[] => testsOf(query, [...flagFilter(flags), ...filter])

const bounds = (slice: Slice): { from: number; end: number } => {
  if (slice.page !== undefined) return { from: (slice.page - 1) * slice.pageSize, end: slice.page * slice.pageSize }
  const { start = 0, max = Number.POSITIVE_INFINITY } = slice
  return { from: Math.max(start, 0), end: Math.max(start, 0) + max }
}

/**
 * The most changed wines in the memtable, which searches compare singly; with a further wine, they become a segment. All of
 * them add a tenth of a millisecond to a search; building the segment takes some seventy, once in so many changes.
 */
export const maxBuffered = 512

/** A segment is built of so many wines at most; larger segments are merged. */
const maxBuilt = 4096

const inGroups = <One>(all: readonly One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))

/** The searchable index of a scope's wines, without their records. */
export class SearchIndex {
  #segments: readonly LiveSegment[] = []
  /** The lowest and the highest id of each segment. */
  #idRanges = new Float64Array()
  #version: number
  #memtable = new Map<number, Row>()
  #memtableBytes = 0
  /** The memtable in the default order; made by the first search after a change. */
  #ordered: readonly Row[] | undefined
  /** All rows of the segments; made by the first search after a change. */
  #all: Hits['parts'] | undefined
  /** The versions of removals, so that an older change that arrives later does not restore the wine. */
  readonly #removals = new Map<number, number>()

  /** An empty index, or an index that continues from segments at a version. */
  constructor(segments: readonly LiveSegment[] = [], version = 0) {
    this.#version = version
    this.#setSegments(segments)
  }

  // While an index takes all wines for the first time it has thousands of segments, most of other ids.
  #setSegments(all: readonly LiveSegment[]): void {
    this.#segments = all
    this.#all = undefined
    this.#idRanges = Float64Array.from(all.flatMap(({ segment }) => idRangeOf(segment)))
  }

  /** The highest version that was applied. */
  get version(): number {
    return this.#version
  }

  /** The number of wines. */
  get size(): number {
    return this.#segments.reduce((sum, live) => sum + liveRows(live), this.#memtable.size)
  }

  /** The number of segments. */
  get pieces(): number {
    return this.#segments.length
  }

  /** Estimated memory in bytes. */
  get bytes(): number {
    return this.#segments.reduce(
      (sum, { segment, tombstones }) => sum + segmentBytes(segment) + tombstones.byteLength,
      this.#memtableBytes,
    )
  }

  #find(id: number): { live: LiveSegment; row: number } | undefined {
    for (let n = 0; n < this.#segments.length; n++) {
      if (id < this.#idRanges[2 * n] || id > this.#idRanges[2 * n + 1]) continue
      const live = this.#segments[n]
      const row = rowOfId(live.segment, id)
      if (row !== -1 && !hasBit(live.tombstones, row)) return { live, row }
    }
    return undefined
  }

  /** The version at which a wine was last changed or removed, -1 for an unknown wine. */
  versionOf(id: number): number {
    const known = this.#memtable.get(id)?.version ?? this.#removals.get(id)
    if (known !== undefined) return known
    const found = this.#find(id)
    return found ? numberAt(found.live.segment.versions, found.row) : -1
  }

  #forget(id: number): void {
    const found = this.#find(id)
    if (found) setBit(found.live.tombstones, found.row)
    const before = this.#memtable.get(id)
    if (before) this.#memtableBytes -= rowBytes(before)
    this.#memtable.delete(id)
    this.#removals.delete(id)
  }

  #applyOne(change: Change): void {
    this.#version = Math.max(this.#version, change.version)
    const id = change.removed ? change.id : change.wine.id
    if (change.version < this.versionOf(id)) return
    this.#forget(id)
    if (change.removed) {
      this.#removals.set(id, change.version)
      return
    }
    const row = rowOf(change.wine, change.version)
    this.#memtable.set(id, row)
    this.#memtableBytes += rowBytes(row)
  }

  /** Applies changes in any order; of a wine the highest version wins, and a repeated change has no effect. */
  apply(changes: readonly Change[]): void {
    for (const change of changes) this.#applyOne(change)
    this.#ordered = undefined
    this.#all = undefined
    if (this.#memtable.size > maxBuffered) this.#flush()
  }

  /** Makes segments of the memtable. */
  #flush(): void {
    const built = inGroups([...this.#memtable.values()], maxBuilt).map(rows => liveSegment(buildSegment(rows)))
    this.#setSegments([...this.#segments, ...built])
    this.#memtable = new Map()
    this.#memtableBytes = 0
    this.#ordered = undefined
  }

  /** Flushes the memtable, and merges segments of one size, which takes long; for snapshots. */
  compact(): readonly LiveSegment[] {
    this.#flush()
    this.#setSegments(compact(this.#segments))
    return this.#segments
  }

  /** Reads a part that a search found missing, in all segments. Rejects with PieceLost. */
  async load({ place }: NotRead): Promise<void> {
    await Promise.all(this.#segments.map(({ segment }) => segment.parts?.load(place)))
  }

  #allRows(): Hits['parts'] {
    return this.#segments.map(({ segment, tombstones }) => {
      const bits = fullBits(segment.ids.length)
      return { segment, bits, count: subtract(bits, tombstones) }
    })
  }

  #rowsPassing(first: Test, others: readonly Test[]): Hits['parts'] {
    return this.#segments.flatMap(({ segment, tombstones }) => {
      const bits = first.rowsOf(segment)
      if (!bits) return []
      for (const test of others) {
        const more = test.rowsOf(segment)
        if (!more) return []
        intersect(bits, more)
      }
      return [{ segment, bits, count: subtract(bits, tombstones) }]
    })
  }

  #match(criteria: Criteria): Hits {
    const [first, ...others] = testsFor(criteria)
    this.#ordered ??= inDefaultOrder([...this.#memtable.values()])
    if (first) {
      const rows = this.#ordered.filter(row => first.accepts(row) && others.every(test => test.accepts(row)))
      return { parts: this.#rowsPassing(first, others), rows }
    }
    this.#all ??= this.#allRows()
    return { parts: this.#all, rows: this.#ordered }
  }

  /** The number of hits, and the ids of the slice in order. */
  search(search: Search): { total: number; ids: number[] } {
    const hits = this.#match(search)
    const total = hits.parts.reduce((sum, { count }) => sum + count, hits.rows.length)
    const { from, end } = bounds(search)
    return { total, ids: idsBetween(hits, search.order ?? defaultSortOrder, from, Math.min(end, total)) }
  }

  /** The values of fields among the wines that meet the criteria. */
  distinct(fields: readonly FilterField[], criteria: Criteria = {}): Distinct {
    const hits = this.#match(criteria)
    return Object.fromEntries(fields.map(field => [field, distinctOf(hits, field)]))
  }

  /** The same values, each with its number of wines. */
  counts(fields: readonly FilterField[], criteria: Criteria = {}): Counted {
    const hits = this.#match(criteria)
    return Object.fromEntries(fields.map(field => [field, countsOf(hits, field)]))
  }
}
