import type { SearchIndex } from './engine/search-index.ts'
import type { Scope } from './scopes.ts'
import { type LoadedIndex, loadSnapshot, refresh } from './snapshot-store.ts'

// An instance keeps the indexes it was asked for last, up to this much memory.
const maxBytes = 128 * 1024 * 1024

type CachedIndex = LoadedIndex & { checked: number }

const kept = new Map<string, CachedIndex>()

const evict = (): void => {
  let bytes = [...kept.values()].reduce((sum, { index }) => sum + index.bytes, 0)
  for (const [name, { index }] of kept) {
    if (bytes <= maxBytes || kept.size === 1) return
    kept.delete(name)
    bytes -= index.bytes
  }
}

/**
 * A scope's index, at most `lag` milliseconds behind the table: with 0, every acknowledged change is in it. Costs one
 * query a feed; a new instance reads the snapshot before.
 */
export const searchIndexOf = async (scope: Scope, lag = 0): Promise<SearchIndex> => {
  const now = Date.now()
  const loaded = kept.get(scope.name) ?? { ...(await loadSnapshot(scope)), checked: Number.NEGATIVE_INFINITY }
  if (lag === 0 || now - loaded.checked > lag) {
    await refresh(scope, loaded)
    loaded.checked = now
  }
  // Set again, so that the map stays in the order of use.
  kept.delete(scope.name)
  kept.set(scope.name, loaded)
  evict()
  return loaded.index
}
