import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isCacheable, type Route } from '../contract/route.ts'
import { encodingFor, isNamed, kept } from '../platform/cache.ts'
import type { Reply, Served, ServedEvent, Step } from './step.ts'

// HTTP APIs do not compress. Below this length, in characters, compression saves nothing.
const leastLength = 1024
// For a page of wines the default level takes twice as long and saves a twentieth.
const level = 4

/** `max-age` of public answers, in seconds. */
const keptSeconds = 5

/** True if a reply is compressed for a client that accepts it. */
const isCompressible = ({ body = '', isBase64Encoded, headers }: Reply): boolean =>
  !isBase64Encoded && body.length >= leastLength && !headers?.['content-encoding']

/** The reply, compressed if the client accepts it. ETags of texts are weak, so one names both forms. */
const compressed = async (reply: Reply, headers: ServedEvent['headers']): Promise<Reply> => {
  const { body = '' } = reply
  if (!isCompressible(reply) || !encodingFor(headers['accept-encoding'], ['gzip'])) return reply
  const bytes = (await promisify(gzip)(body, { level })).toString('base64')
  // Base64 must not make the reply larger than Lambda's limit for a response.
  if (bytes.length >= body.length) return reply
  return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: bytes, isBase64Encoded: true }
}

/** A successful answer with the headers for caching; 304 if the client has it by its ETag. */
const keepable = (reply: Reply, ifNoneMatch: string | undefined): Reply => {
  const { etag } = kept(reply.body ?? '', '', keptSeconds)
  const headers = { ...reply.headers, etag, 'cache-control': `public, max-age=${keptSeconds}` }
  if (!isNamed(etag, ifNoneMatch)) return { ...reply, headers }
  const { 'content-type': _, ...others } = headers as Record<string, string>
  return { statusCode: 304, headers: others }
}

/** Encodes the response: caching headers for public answers to GET, compression for long ones. */
export const delivery = (route: Route): Step => {
  const isKept = route.envelope !== 'raw' && isCacheable(route)
  const deliver = async (request: Served): Promise<void> => {
    const { headers, requestContext } = request.event
    const made = request.response as Reply
    // A 304 has `vary` too: caches use it.
    const reply = isCompressible(made) ? { ...made, headers: { ...made.headers, vary: 'accept-encoding' } } : made
    const isGet = isKept && reply.statusCode === 200 && requestContext.http.method !== 'POST'
    request.response = await compressed(isGet ? keepable(reply, headers['if-none-match']) : reply, headers)
  }
  return { after: deliver, onError: deliver }
}
