import { createHash } from 'node:crypto'
import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { LRUCache } from 'lru-cache'

type Something = NonNullable<unknown>

/** Reads a value; `stale` is the expired value, if it is still cached. */
type Read<Value> = (stale: Value | undefined) => Promise<Value>

/** Returns the value of a key; `forget` drops it from the cache. */
type ReadThrough<Key, Value> = ((key: Key, read: Read<Value>) => Promise<Value>) & { forget(key: Key): void }

/**
 * Returns a read-through LRU cache of `max` values, each valid for `trustedFor` milliseconds after its read. Concurrent
 * requests for a key share one read. An error of `read` is passed on and not cached.
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

/** Returns the weak ETag of a text: a compressed form has other bytes and the same meaning. */
export const etagOf = (text: string): string => `W/"${createHash('sha256').update(text).digest('base64url')}"`

/** A text that clients may cache: its media type, its ETag, and its `max-age` in seconds. */
export type CacheableText = { text: string; type: string; etag: string; maxAge: number }

export const cacheableText = (text: string, type: string, maxAge: number): CacheableText => ({
  text,
  type,
  maxAge,
  etag: etagOf(text),
})

const withoutWeakPrefix = (etag: string): string => etag.trim().replace(/^W\//, '')

/** True if an If-None-Match header matches an ETag (RFC 9110, 13.1.2): an ETag of a list, or `*`, by weak comparison. */
export const matchesEtag = (etag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.split(',').some(one => ['*', withoutWeakPrefix(etag)].includes(withoutWeakPrefix(one))) ?? false

/** Returns the text as a response, or 304 if If-None-Match has its ETag. */
export const cacheableReply = ({ text, type, etag, maxAge }: CacheableText, ifNoneMatch: string | undefined): Reply => {
  const headers = { etag, 'cache-control': `public, max-age=${maxAge}` }
  if (matchesEtag(etag, ifNoneMatch)) return { statusCode: 304, headers }
  return { statusCode: 200, headers: { ...headers, 'content-type': type }, body: text }
}

/**
 * Returns the encoding of `offered` that the client prefers (RFC 9110, 12.5.3), the first of equals; undefined if it
 * accepts none.
 */
export const preferredEncoding = <Name extends string>(
  acceptEncoding: string | undefined,
  offered: readonly Name[],
): Name | undefined => {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map(one => {
      const [name = '', ...parameters] = one.split(';').map(part => part.trim().toLowerCase())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
  const weightOf = (name: Name): number => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = offered.toSorted((one, other) => weightOf(other) - weightOf(one))
  return best && weightOf(best) > 0 ? best : undefined
}
