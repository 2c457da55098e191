import { LRUCache } from 'lru-cache'
import { count } from '../../platform/log.ts'
import { NotRead, PieceLost } from '../../search/packed-parts.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import { type LoadedIndex, refresh } from './refresh.ts'
import type { Scope } from './scopes.ts'
import { type Extent, hasNewerSnapshot, type LoadedSnapshot, loadSnapshot } from './snapshot-store.ts'

/** An index with the snapshot that it came from, when that was loaded, and when the table was last queried (epoch ms). */
type CachedIndex = LoadedIndex & Pick<LoadedSnapshot, 'replacing'> & { since: number; checked: number }

// An index of more pieces gets slower. By then the job has merged them, in a snapshot.
const maxPieces = 16
const betweenLoadsMs = 60_000

const isScattered = ({ index, since }: CachedIndex, now: number): boolean =>
  index.pieces > maxPieces && now - since > betweenLoadsMs

const maxBytes = 128 * 1024 * 1024

const indexes = new LRUCache<string, CachedIndex>({
  maxSize: maxBytes,
  // Capped, because the cache would not take an entry beyond its whole size.
  sizeCalculation: ({ index }) => Math.max(1, Math.min(index.bytes, maxBytes)),
})

const load = async (scope: Scope, extent: Extent = 'as needed'): Promise<CachedIndex> => {
  const { index, feeds, unproven, replacing } = await loadSnapshot(scope, extent)
  return { index, feeds, unproven, replacing, since: Date.now(), checked: Number.NEGATIVE_INFINITY }
}

// The snapshot that was loaded before would give the same index again, after reading all changes since.
const inFewerPieces = async (scope: Scope, known: CachedIndex, now: number): Promise<CachedIndex> =>
  (await hasNewerSnapshot(scope, known.replacing)) ? load(scope) : { ...known, since: now }

const loadedOf = async (scope: Scope, known: CachedIndex | undefined, now: number): Promise<CachedIndex> => {
  if (!known) return load(scope)
  return isScattered(known, now) ? inFewerPieces(scope, known, now) : known
}

/**
 * A scope's index, at most `lag` milliseconds behind the table; with 0, it has every acknowledged change. Costs one query
 * a feed, and more shortly after a change was seen half-written; a new instance first reads the snapshot.
 */
export const searchIndexOf = async (scope: Scope, lag = 0, known = indexes.get(scope.name)): Promise<SearchIndex> => {
  const now = Date.now()
  const loaded = await loadedOf(scope, known, now)
  const isStale = lag === 0 || now - loaded.checked > lag
  if (isStale) {
    await refresh(scope, loaded)
    count('IndexRefreshTime', Date.now() - now)
    count('IndexSize', loaded.index.bytes)
  }
  // As a new entry, so that its size is measured again: changes and searches make an index larger.
  indexes.set(scope.name, { ...loaded, checked: isStale ? now : loaded.checked })
  return loaded.index
}

/** Uses an index, and repeats that after loading a part of it that was not read. Rejects with PieceLost. */
const useAndLoad = async <T>(index: SearchIndex, use: (index: SearchIndex) => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await use(index)
    } catch (error) {
      if (!(error instanceof NotRead)) throw error
      await index.load(error)
    }
  }
}

/**
 * Uses a scope's index as searchIndexOf returns it. A new instance reads the parts of large pieces when a search first
 * needs them: then `use` is called again, so it must be repeatable.
 */
export const withIndex = async <T>(scope: Scope, lag: number, use: (index: SearchIndex) => Promise<T>): Promise<T> => {
  // A lost piece was merged since: load the present snapshot. If a second piece is lost, load it whole, which detects
  // damage.
  for (const extent of ['as needed', 'whole'] as const) {
    try {
      return await useAndLoad(await searchIndexOf(scope, lag), use)
    } catch (error) {
      if (!(error instanceof PieceLost)) throw error
      indexes.set(scope.name, await load(scope, extent))
    }
  }
  return use(await searchIndexOf(scope, lag))
}
