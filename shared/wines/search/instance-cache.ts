import { LRUCache } from 'lru-cache'
import type { SearchIndex } from './engine/search-index.ts'
import { type LoadedIndex, refresh } from './refresh.ts'
import type { Scope } from './scopes.ts'
import { loadSnapshot } from './snapshot-store.ts'

/** An index, when it was loaded, and when the table was asked last for what changed (milliseconds). */
type CachedIndex = LoadedIndex & { since: number; checked: number }

// Of more pieces than these an index gets slower. The job has merged them by then, in a snapshot.
const mostPieces = 32
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

const load = async (scope: Scope): Promise<CachedIndex> => {
  const { index, feeds, unproven } = await loadSnapshot(scope)
  return { index, feeds, unproven, since: Date.now(), checked: Number.NEGATIVE_INFINITY }
}

/**
 * A scope's index, at most `lag` milliseconds behind the table: with 0, every acknowledged change is in it. Costs one
 * query a feed, more for a moment after one was seen in the middle of a change; a new instance reads the snapshot before.
 */
export const searchIndexOf = async (scope: Scope, lag = 0): Promise<SearchIndex> => {
  const now = Date.now()
  const known = indexes.get(scope.name)
  const loaded = known && !isScattered(known, now) ? known : await load(scope)
  const isStale = lag === 0 || now - loaded.checked > lag
  if (isStale) await refresh(scope, loaded)
  // As another entry, so that its size is measured again: changes and searches make an index larger.
  indexes.set(scope.name, { ...loaded, checked: isStale ? now : loaded.checked })
  return loaded.index
}
