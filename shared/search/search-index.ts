import { type FilterField, type FlagField, flagFields } from '../contract/records/wine-fields.ts'
import { type Condition, defaultSortOrder, type Filter, type Query, type SortOrder } from '../contract/wine-query.ts'
import { allBits, countWithout, hasBit, keepCommon, setBit } from './bits.ts'
import { compacted } from './compaction.ts'
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
  type Living,
  livingOf,
  livingRows,
  rowOfId,
  segmentBytes,
} from './segment.ts'

/** A wine as of a version of its feed, or its removal. */
export type Change =
  | { version: number; wine: IndexedWine; removed?: undefined }
  | { version: number; id: number; removed: true }

/** Which of the hits are wanted: a page from 1 on, or a stretch; all of them by default. */
type Slice = { page: number; pageSize: number } | { page?: undefined; start?: number; max?: number }

/** Which wines are meant, all of it already parsed. */
export type Criteria = { query?: Query; filter?: Filter; flags?: Partial<Record<FlagField, 0 | 1>> }

/** What to search for, and which of it to give in which order. */
export type Search = Slice & Criteria & { order?: SortOrder }

/** The distinct values by field, sorted, without null. */
type Distinct = Partial<Record<FilterField, (string | number)[]>>

/** The distinct values by field, sorted, without null, each with a number of wines. */
export type Counted = Partial<Record<FilterField, CountedValues>>

/** The searchable index of one scope's wines; records themselves are not kept. */
export type SearchIndex = {
  /** The highest version seen. */
  readonly version: number
  /** Number of wines. */
  readonly size: number
  /** Estimated memory in bytes. */
  readonly bytes: number
  /** The version at which a wine changed or was removed last, -1 of a wine that it does not know. */
  versionOf: (id: number) => number
  /** Takes changes in any order; of one wine the highest version wins, and a repeated change has no effect. */
  apply: (changes: Change[]) => void
  /** The number of hits, and the ids of the wanted slice in order. */
  search: (search: Search) => { total: number; ids: number[] }
  /** The values the fields have among the wines that are meant. */
  distinct: (fields: readonly FilterField[], wanted?: Criteria) => Distinct
  /** The same values, each with how many of the wines that are meant have it. */
  counts: (fields: readonly FilterField[], wanted?: Criteria) => Counted
  /** Reads what a search found missing, in all pieces. Rejects with PieceLost. */
  load: (missing: NotRead) => Promise<void>
  /** In how many pieces it is searched. */
  readonly pieces: number
  /** Makes segments of all that waits, and merges those of one size, which takes long; for snapshots. */
  compact: () => readonly Living[]
}

const flagFilter = (flags: Criteria['flags'] = {}): Condition[] =>
  flagFields.flatMap(field => {
    const flag = flags[field]
    return flag === undefined ? [] : [{ field, keys: [flag] }]
  })

const testsFor = ({ query, filter = [], flags }: Criteria): Test[] => testsOf(query, [...flagFilter(flags), ...filter])

const bounds = (slice: Slice): { start: number; end: number } => {
  if (slice.page !== undefined) return { start: (slice.page - 1) * slice.pageSize, end: slice.page * slice.pageSize }
  const { start = 0, max = Number.POSITIVE_INFINITY } = slice
  return { start: Math.max(start, 0), end: Math.max(start, 0) + max }
}

/**
 * So many changed wines wait beside the segments, looked at one by one, before they become a segment. All of them add a
 * tenth of a millisecond to a search; the change that makes the segment waits some seventy, once in so many.
 */
export const maxBuffered = 512

/** A segment is built of so many wines at most; larger ones are merged. */
const largestBuilt = 4096

const inGroups = <One>(all: readonly One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))

/** An empty index, or one that continues from segments and their version. */
export const createSearchIndex = (start: readonly Living[] = [], startVersion = 0): SearchIndex => {
  let parts: readonly Living[] = start
  /** The least id of each segment, and the greatest one. */
  let ranges = new Float64Array()
  let version = startVersion
  let waiting = new Map<number, Row>()
  let waitingBytes = 0
  /** What waits, in the default order; made when it is searched after a change. */
  let ordered: readonly Row[] | undefined
  /** All that is in segments; made when it is searched after a change. */
  let living: Hits['parts'] | undefined
  /** Versions of removals; remembered, so that an older change that arrives late does not bring the wine back. */
  const removals = new Map<number, number>()

  /** Sets the segments. An index that takes all wines for the first time has thousands, most of other ids. */
  const setParts = (all: readonly Living[]) => {
    parts = all
    living = undefined
    ranges = Float64Array.from(all.flatMap(({ segment }) => idRangeOf(segment)))
  }

  const find = (id: number): { part: Living; row: number } | undefined => {
    for (let n = 0; n < parts.length; n++) {
      if (id < ranges[2 * n] || id > ranges[2 * n + 1]) continue
      const part = parts[n]
      const row = rowOfId(part.segment, id)
      if (row !== -1 && !hasBit(part.tombstones, row)) return { part, row }
    }
    return undefined
  }

  const versionOf = (id: number): number => {
    const known = waiting.get(id)?.version ?? removals.get(id)
    if (known !== undefined) return known
    const found = find(id)
    return found ? numberAt(found.part.segment.versions, found.row) : -1
  }

  const forget = (id: number) => {
    const found = find(id)
    if (found) setBit(found.part.tombstones, found.row)
    const before = waiting.get(id)
    if (before) waitingBytes -= rowBytes(before)
    waiting.delete(id)
    removals.delete(id)
  }

  const applyOne = (change: Change) => {
    version = Math.max(version, change.version)
    const id = change.removed ? change.id : change.wine.id
    if (change.version < versionOf(id)) return
    forget(id)
    if (change.removed) {
      removals.set(id, change.version)
      return
    }
    const row = rowOf(change.wine, change.version)
    waiting.set(id, row)
    waitingBytes += rowBytes(row)
  }

  /** Makes segments of all that waits. */
  const file = () => {
    const built = inGroups([...waiting.values()], largestBuilt).map(rows => livingOf(buildSegment(rows)))
    setParts([...parts, ...built])
    waiting = new Map()
    waitingBytes = 0
    ordered = undefined
  }

  const compact = (): readonly Living[] => {
    file()
    setParts(compacted(parts))
    return parts
  }

  setParts(start)

  const allLiving = (): Hits['parts'] =>
    parts.map(({ segment, tombstones }) => {
      const bits = allBits(segment.ids.length)
      return { segment, bits, count: countWithout(bits, tombstones) }
    })

  const passing = (first: Test, others: readonly Test[]): Hits['parts'] =>
    parts.flatMap(({ segment, tombstones }) => {
      const bits = first.rowsOf(segment)
      if (!bits) return []
      for (const test of others) {
        const more = test.rowsOf(segment)
        if (!more) return []
        keepCommon(bits, more)
      }
      return [{ segment, bits, count: countWithout(bits, tombstones) }]
    })

  const match = ([first, ...others]: readonly Test[]): Hits => {
    ordered ??= inDefaultOrder([...waiting.values()])
    if (first) {
      const rows = ordered.filter(row => first.accepts(row) && others.every(test => test.accepts(row)))
      return { parts: passing(first, others), rows }
    }
    living ??= allLiving()
    return { parts: living, rows: ordered }
  }

  return {
    get version() {
      return version
    },
    get size() {
      return parts.reduce((sum, part) => sum + livingRows(part), waiting.size)
    },
    get pieces() {
      return parts.length
    },
    get bytes() {
      return parts.reduce(
        (sum, { segment, tombstones }) => sum + segmentBytes(segment) + tombstones.byteLength,
        waitingBytes,
      )
    },
    versionOf,
    load: async ({ place }) => {
      await Promise.all(parts.map(({ segment }) => segment.parts?.load(place)))
    },
    apply: changes => {
      for (const change of changes) applyOne(change)
      ordered = undefined
      living = undefined
      if (waiting.size > maxBuffered) file()
    },
    search: search => {
      const hits = match(testsFor(search))
      const total = hits.parts.reduce((sum, { count }) => sum + count, hits.rows.length)
      const { start: from, end } = bounds(search)
      return { total, ids: idsBetween(hits, search.order ?? defaultSortOrder, from, Math.min(end, total)) }
    },
    distinct: (fields, wanted = {}) => {
      const hits = match(testsFor(wanted))
      return Object.fromEntries(fields.map(field => [field, distinctOf(hits, field)]))
    },
    counts: (fields, wanted = {}) => {
      const hits = match(testsFor(wanted))
      return Object.fromEntries(fields.map(field => [field, countsOf(hits, field)]))
    },
    compact,
  }
}
