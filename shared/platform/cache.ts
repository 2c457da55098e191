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

/** A text that callers may keep: its media type, its ETag, and for how many seconds it may be used unasked. */
export type Kept = { text: string; type: string; etag: string; seconds: number }

/** A text that callers may keep, named by what it says. */
export const kept = (text: string, type: string, seconds: number): Kept => ({
  text,
  type,
  seconds,
  // Weak: compressed it is other bytes, but says the same.
  etag: `W/"${createHash('sha256').update(text).digest('base64url')}"`,
})

const withoutMark = (etag: string): string => etag.trim().replace(/^W\//, '')

/** True if an If-None-Match names an ETag (RFC 9110, 13.1.2): one of a list, or `*`, by weak comparison. */
export const isNamed = (etag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.split(',').some(one => ['*', withoutMark(etag)].includes(withoutMark(one))) ?? false

/** The text as a response, or 304 when the caller names it by its ETag. */
export const keptReply = ({ text, type, etag, seconds }: Kept, ifNoneMatch: string | undefined): Reply => {
  const headers = { etag, 'cache-control': `public, max-age=${seconds}` }
  if (isNamed(etag, ifNoneMatch)) return { statusCode: 304, headers }
  return { statusCode: 200, headers: { ...headers, 'content-type': type }, body: text }
}

/**
 * Returns the encoding, of some, that the caller prefers (RFC 9110, 12.5.3), the first of equals; undefined if it accepts
 * none.
 */
export const encodingFor = <Name extends string>(
  acceptEncoding: string | undefined,
  among: readonly Name[],
): Name | undefined => {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map(one => {
      const [name = '', ...parameters] = one.split(';').map(part => part.trim().toLowerCase())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
  const weightOf = (name: Name): number => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = among.toSorted((one, other) => weightOf(other) - weightOf(one))
  return best && weightOf(best) > 0 ? best : undefined
}
