import { LRUCache } from 'lru-cache'
import { count } from '../../platform/log.ts'
import { NotRead, PieceLost } from '../../search/packed-parts.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import { type LoadedIndex, refresh } from './refresh.ts'
import type { Scope } from './scopes.ts'
import { type Extent, type LoadedSnapshot, loadSnapshot, takesPlaceOf } from './snapshot-store.ts'

/**
 * An index and the snapshot it came from, when that was looked for last, and when the table was asked last for what
 * changed (milliseconds).
 */
type CachedIndex = LoadedIndex & Pick<LoadedSnapshot, 'replacing'> & { since: number; checked: number }

// Of more pieces than these an index gets slower. The job has merged them by then, in a snapshot.
const mostPieces = 16
const betweenLoadsMs = 60_000

const isScattered = ({ index, since }: CachedIndex, now: number): boolean =>
  index.pieces > mostPieces && now - since > betweenLoadsMs

// An instance keeps the indexes it was asked for last, up to this much memory.
const maxBytes = 128 * 1024 * 1024

const indexes = new LRUCache<string, CachedIndex>({
  maxSize: maxBytes,
  // The index at hand is kept however large it is; an entry beyond the whole size would not be.
  sizeCalculation: ({ index }) => Math.max(1, Math.min(index.bytes, maxBytes)),
})

const load = async (scope: Scope, extent: Extent = 'as needed'): Promise<CachedIndex> => {
  const { index, feeds, unproven, replacing } = await loadSnapshot(scope, extent)
  return { index, feeds, unproven, replacing, since: Date.now(), checked: Number.NEGATIVE_INFINITY }
}

// The snapshot that is at hand already, or none, would make the same index again, by reading all that came since.
const inFewerPieces = async (scope: Scope, known: CachedIndex, now: number): Promise<CachedIndex> =>
  (await takesPlaceOf(scope, known.replacing)) ? load(scope) : { ...known, since: now }

const loadedOf = async (scope: Scope, known: CachedIndex | undefined, now: number): Promise<CachedIndex> => {
  if (!known) return load(scope)
  return isScattered(known, now) ? inFewerPieces(scope, known, now) : known
}

/**
 * A scope's index, at most `lag` milliseconds behind the table: with 0, every acknowledged change is in it. Costs one
 * query a feed, more for a moment after one was seen in the middle of a change; a new instance reads the snapshot before.
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
  // As another entry, so that its size is measured again: changes and searches make an index larger.
  indexes.set(scope.name, { ...loaded, checked: isStale ? now : loaded.checked })
  return loaded.index
}

/** Uses an index, again and again until nothing of its pieces is missing for that. Rejects with PieceLost. */
const useWhatIsThere = async <T>(index: SearchIndex, use: (index: SearchIndex) => Promise<T>): Promise<T> => {
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
 * Uses a scope's index as searchIndexOf gives it. Of large pieces a new instance reads what is asked for when it first is:
 * then `use` is begun anew, and must bear that.
 */
export const withIndex = async <T>(scope: Scope, lag: number, use: (index: SearchIndex) => Promise<T>): Promise<T> => {
  // A piece that is gone was merged meanwhile, so the snapshot is read anew; if that does not help, it is damaged, which
  // shows when it is read as a whole.
  for (const extent of ['as needed', 'whole'] as const) {
    try {
      return await useWhatIsThere(await searchIndexOf(scope, lag), use)
    } catch (error) {
      if (!(error instanceof PieceLost)) throw error
      indexes.set(scope.name, await load(scope, extent))
    }
  }
  return use(await searchIndexOf(scope, lag))
}
