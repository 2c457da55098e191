import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isCacheable, type Route } from '../contract/route.ts'
import { etagOf, matchesEtag, preferredEncoding } from '../platform/cache.ts'
import type { Middleware, MiddyRequest, Reply, RequestEvent } from './middleware.ts'

// API Gateway's HTTP APIs do not compress. A shorter body, in characters, is sent as it is.
const minCompressedLength = 1024
// For a page of wines the default level takes twice as long and saves a twentieth.
const gzipLevel = 4

// `max-age` of public responses, in seconds.
const maxAge = 5

const isCompressible = ({ body = '', isBase64Encoded, headers }: Reply): boolean =>
  !isBase64Encoded && body.length >= minCompressedLength && !headers?.['content-encoding']

/** Returns the response with a gzip body if the client accepts that. Its weak ETag is valid for both forms. */
const compressReply = async (reply: Reply, headers: RequestEvent['headers']): Promise<Reply> => {
  const { body = '' } = reply
  if (!isCompressible(reply) || !preferredEncoding(headers['accept-encoding'], ['gzip'])) return reply
  const bytes = (await promisify(gzip)(body, { level: gzipLevel })).toString('base64')
  // Base64 must not make the response larger than Lambda's limit.
  if (bytes.length >= body.length) return reply
  return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: bytes, isBase64Encoded: true }
}

/** Returns a successful response with ETag and Cache-Control, or 304 if If-None-Match has its ETag. */
const withCacheHeaders = (reply: Reply, ifNoneMatch: string | undefined): Reply => {
  const etag = etagOf(reply.body ?? '')
  const headers = { ...reply.headers, etag, 'cache-control': `public, max-age=${maxAge}` }
  if (!matchesEtag(etag, ifNoneMatch)) return { ...reply, headers }
  const { 'content-type': _, ...others } = headers as Record<string, string>
  return { statusCode: 304, headers: others }
}

/** Adds caching headers to public responses to GET, and compresses long bodies. */
export const delivery = (route: Route): Middleware => {
  const hasCacheHeaders = route.envelope !== 'raw' && isCacheable(route)
  const deliver = async (request: MiddyRequest): Promise<void> => {
    const { headers, requestContext } = request.event
    const made = request.response as Reply
    // A 304 has `vary` too: caches use it.
    const vary = [made.headers?.vary, 'accept-encoding'].filter(Boolean).join(', ')
    const reply = isCompressible(made) ? { ...made, headers: { ...made.headers, vary } } : made
    const isCached = hasCacheHeaders && reply.statusCode === 200 && requestContext.http.method !== 'POST'
    request.response = await compressReply(
      isCached ? withCacheHeaders(reply, headers['if-none-match']) : reply,
      headers,
    )
  }
  return { after: deliver, onError: deliver }
}
