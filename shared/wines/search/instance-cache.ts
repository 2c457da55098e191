import type { Catalogue } from './engine/search-index.ts'
import type { Scope } from './scopes.ts'
import { type Loaded, loadSnapshot, refresh } from './snapshot-store.ts'

// An instance keeps the indexes it was asked for last, up to this much memory.
const maxBytes = 128 * 1024 * 1024

type Kept = Loaded & { checked: number }

const kept = new Map<string, Kept>()

const evict = (): void => {
  let bytes = [...kept.values()].reduce((sum, { catalogue }) => sum + catalogue.bytes, 0)
  for (const [name, { catalogue }] of kept) {
    if (bytes <= maxBytes || kept.size === 1) return
    kept.delete(name)
    bytes -= catalogue.bytes
  }
}

/**
 * A scope's index, at most `lag` milliseconds behind the table: with 0, every acknowledged change is in it. Costs one
 * query a feed; a new instance reads the snapshot before.
 */
export const catalogueOf = async (scope: Scope, lag = 0): Promise<Catalogue> => {
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
  return loaded.catalogue
}
