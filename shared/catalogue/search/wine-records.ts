import { LRUCache } from 'lru-cache'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getEntries } from '../../platform/table/table.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import { feedVersion } from './feed.ts'

/** A wine's document in the table, as of a version of its feed. */
export type WineRecord = { version: number; doc: string }

type CachedRecord = { version: number; bytes: Buffer }

// Bytes take half the memory of a text, a third of a parsed wine.
const maxBytes = 32 * 1024 * 1024

const wineRecords = new LRUCache<string, CachedRecord>({
  maxSize: maxBytes,
  sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
})

const cacheKey = (scope: string, id: number): string => `${scope} ${id}`

// Not pooled: a small buffer would keep the pool's larger buffer in memory.
const bytesOf = (doc: string): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(doc))
  bytes.write(doc)
  return bytes
}

/** Caches a wine's document, unless this or a later version is cached. */
export const cacheWineRecord = (scope: string, id: number, { version, doc }: WineRecord): void => {
  const place = cacheKey(scope, id)
  const known = wineRecords.peek(place)
  if (!known || known.version < version) wineRecords.set(place, { version, bytes: bytesOf(doc) })
}

/** A wine's document at exactly this version of its feed; undefined if it is not cached. */
const cachedRecordAt = (scope: string, id: number, version: number): string | undefined => {
  const known = wineRecords.get(cacheKey(scope, id))
  return known?.version === version ? known.bytes.toString() : undefined
}

/**
 * The records of a merchant's wines, in the order of `ids`: from the cache those at the version that the index has, the
 * others from the table, as they are now. Undefined for a wine that no longer exists.
 */
export const readWineRecords = async (
  merchant: MerchantId,
  { name: scope }: { name: string },
  index: Pick<SearchIndex, 'versionOf'>,
  ids: readonly number[],
): Promise<(string | undefined)[]> => {
  const known = new Map(ids.map(id => [id, cachedRecordAt(scope, id, index.versionOf(id))]))
  const unknown = ids.filter(id => known.get(id) === undefined)
  const entries = await getEntries(unknown.map(id => key('wine', { merchant, id })))
  for (const [n, id] of unknown.entries()) {
    const entry = entries[n]
    if (!entry) continue
    // At its own version, which may be later than the index's.
    cacheWineRecord(scope, id, { version: feedVersion(entry), doc: entry.item.doc })
    known.set(id, entry.item.doc)
  }
  return ids.map(id => known.get(id))
}
