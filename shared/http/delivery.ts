import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isCacheable, type Route } from '../contract/route.ts'
import { encodingFor, isNamed, kept } from '../platform/cache.ts'
import type { Reply, Served, ServedEvent, Step } from './step.ts'

// HTTP APIs compress nothing themselves. Below this, in characters, it saves nobody anything.
const leastLength = 1024
// Of a page of wines the default level takes twice as long, for a twentieth less.
const level = 4

/** For how many seconds a caller may use a public answer unasked: everybody sees a change about as late. */
const keptSeconds = 5

/** Whether a reply goes out compressed to who wants that. */
const isCompressible = ({ body = '', isBase64Encoded, headers }: Reply): boolean =>
  !isBase64Encoded && body.length >= leastLength && !headers?.['content-encoding']

/** The reply, compressed where that is wanted. ETags of texts are weak: so they name it in either form. */
const compressed = async (reply: Reply, headers: ServedEvent['headers']): Promise<Reply> => {
  const { body = '' } = reply
  if (!isCompressible(reply) || !encodingFor(headers['accept-encoding'], ['gzip'])) return reply
  const bytes = (await promisify(gzip)(body, { level })).toString('base64')
  // As text it may only become smaller: what fits into a function's response must fit still.
  if (bytes.length >= body.length) return reply
  return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: bytes, isBase64Encoded: true }
}

/** A successful answer that a caller may keep; without a body where the caller has it. */
const keepable = (reply: Reply, ifNoneMatch: string | undefined): Reply => {
  const { etag } = kept(reply.body ?? '', '', keptSeconds)
  const headers = { ...reply.headers, etag, 'cache-control': `public, max-age=${keptSeconds}` }
  if (!isNamed(etag, ifNoneMatch)) return { ...reply, headers }
  const { 'content-type': _, ...others } = headers as Record<string, string>
  return { statusCode: 304, headers: others }
}

/** How a reply goes out: public answers to GET with what callers need to keep them, and long ones compressed. */
export const delivery = (route: Route): Step => {
  const isKept = route.envelope !== 'raw' && isCacheable(route)
  const deliver = async (request: Served): Promise<void> => {
    const { headers, requestContext } = request.event
    const made = request.response as Reply
    // A 304 says so too: whoever keeps the answer goes by it.
    const reply = isCompressible(made) ? { ...made, headers: { ...made.headers, vary: 'accept-encoding' } } : made
    const isGet = isKept && reply.statusCode === 200 && requestContext.http.method !== 'POST'
    request.response = await compressed(isGet ? keepable(reply, headers['if-none-match']) : reply, headers)
  }
  return { after: deliver, onError: deliver }
}
