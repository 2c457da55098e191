import { createHash } from 'node:crypto'
import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
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

/** Whether an If-None-Match names an ETag. RFC 9110, 13.1.2: any one of a list, or `*`; a weak mark does not count. */
export const isNamed = (etag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.split(',').some(one => ['*', withoutMark(etag)].includes(withoutMark(one))) ?? false

/** The text as a response, or 304 when the caller names it by its ETag. */
export const keptReply = ({ text, type, etag, seconds }: Kept, ifNoneMatch: string | undefined): Reply => {
  const headers = { etag, 'cache-control': `public, max-age=${seconds}` }
  if (isNamed(etag, ifNoneMatch)) return { statusCode: 304, headers }
  return { statusCode: 200, headers: { ...headers, 'content-type': type }, body: text }
}

/**
 * In which encoding, of some, a caller wants an answer (RFC 9110, 12.5.3); undefined for none. Of those it likes alike,
 * the first.
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
