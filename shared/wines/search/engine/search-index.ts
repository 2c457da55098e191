import { type FilterField, type FlagField, flagFields } from '../../../contract/records/wine-fields.ts'
import {
  type Condition,
  defaultSortOrder,
  type Filter,
  type Query,
  type SortOrder,
} from '../../../contract/wine-query.ts'
import { type Base, baseBytes, buildBase, rowOfId } from './base.ts'
import { type CountedValues, countsOf, distinctOf } from './facets.ts'
import { type Test, testsOf } from './matching.ts'
import { numberAt } from './numbers.ts'
import { type IndexedWine, type Row, rowBytes, rowOf } from './row.ts'
import { placing, rowComparison, sortingOf } from './sorting.ts'

/** A wine as of a version of its feed, or its removal. */
export type Change =
  | { version: number; wine: IndexedWine; removed?: undefined }
  | { version: number; id: number; removed: true }

/** Which of the hits are wanted: a page from 1 on, or a stretch; all of them by default. */
export type Slice = { page: number; pageSize: number } | { page?: undefined; start?: number; max?: number }

/** Which wines are meant, all of it already parsed. */
export type Wanted = { query?: Query; filter?: Filter; flags?: Partial<Record<FlagField, 0 | 1>> }

/** What to search for, and which of it to give in which order. */
export type Search = Slice & Wanted & { order?: SortOrder }

/** The distinct values by field, sorted, without null. */
export type Distinct = Partial<Record<FilterField, (string | number)[]>>

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
  distinct: (fields: readonly FilterField[], wanted?: Wanted) => Distinct
  /** The same values, each with how many of the wines that are meant have it. */
  counts: (fields: readonly FilterField[], wanted?: Wanted) => Counted
  /** Settles all changes and gives the result; for snapshots. */
  settle: () => Base
}

const flagFilter = (flags: Wanted['flags'] = {}): Condition[] =>
  flagFields.flatMap(field => {
    const flag = flags[field]
    return flag === undefined ? [] : [{ field, keys: [flag] }]
  })

const testsFor = ({ query, filter = [], flags }: Wanted): Test[] => testsOf(query, [...flagFilter(flags), ...filter])

const bounds = (slice: Slice): { start: number; end: number } => {
  if (slice.page !== undefined) return { start: (slice.page - 1) * slice.pageSize, end: slice.page * slice.pageSize }
  const { start = 0, max = Number.POSITIVE_INFINITY } = slice
  return { start: Math.max(start, 0), end: Math.max(start, 0) + max }
}

const sliceOf = (base: Base, hits: Uint8Array, rows: readonly Row[], search: Search): number[] => {
  const { order = defaultSortOrder } = search
  const { start, end } = bounds(search)
  const sorting = sortingOf(base, order)
  const placeOf = placing(base, order, sorting)
  const compare = rowComparison(order)
  const placed = rows
    .map(row => ({ row, place: placeOf(row) }))
    .sort((a, b) => a.place - b.place || compare(a.row, b.row))
    .values()
  const ids: number[] = []
  let count = 0
  const take = (id: number) => {
    if (count >= start) ids.push(id)
    count++
  }
  let next = placed.next().value
  const takeBefore = (place: number) => {
    for (; next && next.place <= place && count < end; next = placed.next().value) take(next.row.id)
  }
  for (let place = 0; place < sorting.rows.length && count < end; place++) {
    takeBefore(place)
    const row = numberAt(sorting.rows, place)
    if (hits[row] === 1 && count < end) take(numberAt(base.ids, row))
  }
  takeBefore(sorting.rows.length)
  return ids
}

/** Changes wait beside the base up to this number, or this part of the base; then they are merged into it. */
const minWaiting = 500
const waitingShare = 1 / 8

/** An empty index, or one that continues from a base and its version. */
export const createSearchIndex = (start: Base = buildBase([]), startVersion = 0): SearchIndex => {
  let base = start
  let version = startVersion
  let outdated = new Uint8Array(base.ids.length)
  let outdatedCount = 0
  let waiting = new Map<number, Row>()
  let waitingBytes = 0
  /** Versions of removals; remembered, so that an older change that arrives late does not bring the wine back. */
  const removals = new Map<number, number>()

  const versionOf = (id: number): number => {
    const known = waiting.get(id)?.version ?? removals.get(id)
    return known ?? base.versions[rowOfId(base, id)] ?? -1
  }

  const forget = (id: number) => {
    const row = rowOfId(base, id)
    if (row !== -1 && outdated[row] === 0) {
      outdated[row] = 1
      outdatedCount++
    }
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

  const settle = (): Base => {
    if (waiting.size === 0 && outdatedCount === 0) return base
    const kept = [...outdated.keys()].filter(row => outdated[row] === 0)
    base = buildBase([...waiting.values()], base, kept)
    outdated = new Uint8Array(base.ids.length)
    outdatedCount = 0
    waiting = new Map()
    waitingBytes = 0
    return base
  }

  const match = (tests: Test[]): { hits: Uint8Array; rows: Row[] } => {
    const hits = outdated.map(mark => 1 - mark)
    for (const test of tests) test.narrow(base, hits)
    return { hits, rows: [...waiting.values()].filter(row => tests.every(test => test.accepts(row))) }
  }

  return {
    get version() {
      return version
    },
    get size() {
      return base.ids.length - outdatedCount + waiting.size
    },
    get bytes() {
      return baseBytes(base) + outdated.length + waitingBytes
    },
    versionOf,
    apply: changes => {
      for (const change of changes) applyOne(change)
      if (Math.max(waiting.size, outdatedCount) > Math.max(minWaiting, base.ids.length * waitingShare)) settle()
    },
    search: search => {
      const { hits, rows } = match(testsFor(search))
      const total = hits.reduce((sum, mark) => sum + mark, rows.length)
      return { total, ids: sliceOf(base, hits, rows, search) }
    },
    distinct: (fields, wanted = {}) => {
      const { hits, rows } = match(testsFor(wanted))
      return Object.fromEntries(fields.map(field => [field, distinctOf(base, hits, rows, field)]))
    },
    counts: (fields, wanted = {}) => {
      const { hits, rows } = match(testsFor(wanted))
      return Object.fromEntries(fields.map(field => [field, countsOf(base, hits, rows, field)]))
    },
    settle,
  }
}
