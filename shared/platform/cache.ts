import { LRUCache } from 'lru-cache'

type Something = NonNullable<unknown>

/** Reads a value; `stale` is what it was when it was last read, if that is still known. */
type Read<Value> = (stale: Value | undefined) => Promise<Value>

/** Gives values by their keys; `forget` lets one be read anew. */
type ReadThrough<Key, Value> = ((key: Key, read: Read<Value>) => Promise<Value>) & { forget(key: Key): void }

/**
 * A read-through cache: gives a value from memory, or reads it, once for all who ask meanwhile. A value counts for
 * `trustedFor` milliseconds after it was read; `max` values are kept, the ones used least recently go first. An error of
 * `read` is passed on, and nothing is kept of it.
 */
export const readThrough = <Key extends Something, Value extends Something>(limits: {
  max: number
  trustedFor: number
}): ReadThrough<Key, Value> => {
  const cache = new LRUCache<Key, Value, Read<Value>>({
    max: limits.max,
    ttl: limits.trustedFor,
    // A function is frozen between requests, and its timers and monotonic clock with it: only the wall clock goes on.
    perf: Date,
    ttlResolution: 0,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    fetchMethod: (_, stale, { context: read }) => read(stale),
  })
  const get = (key: Key, read: Read<Value>) => cache.forceFetch(key, { context: read })
  return Object.assign(get, { forget: (key: Key) => void cache.delete(key) })
}
