import { Problem } from '../contract/errors.ts'
import type { Page } from '../contract/page.ts'
import type { Route } from '../contract/route.ts'
import { ConditionFailed, TooLarge, TransactionRefused, Unavailable } from '../platform/table/failures.ts'
import { inFieldOrder } from './field-order.ts'
import { sentenceFor } from './language.ts'
import type { Reply, Step } from './step.ts'

type Headers = Record<string, string>

/** The headers that every response of a route carries. */
export const commonHeaders = (route: Route, requestId: string): Headers => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  ...(route.level !== 'public' && { 'cache-control': 'no-store' }),
  ...(route.level === 'public' && {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'x-request-id',
  }),
  ...(route.deprecated && { deprecation: `@${route.deprecated}` }),
})

// Lambda's limit for a response. It takes the response as JSON, so the body's JSON is a text in there, escaped once more.
const maxBytes = 6 * 1024 * 1024

const isTooLarge = (reply: Reply): boolean => {
  // A character takes three bytes at most, a quote or backslash two; the headers take less than a third of the limit.
  if ((reply.body?.length ?? 0) * 3 < (maxBytes * 2) / 3) return false
  return Buffer.byteLength(JSON.stringify(reply)) > maxBytes
}

const json = (statusCode: number, headers: Headers, body: object): Reply => ({
  statusCode,
  headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})

/** The contract's one error shape. */
export const problemReply = (problem: Problem, headers: Headers, requestId: string, details = problem.message): Reply =>
  json(
    problem.status,
    { ...headers, 'cache-control': 'no-store', ...problem.headers },
    {
      info: 'error',
      code: problem.status,
      error: problem.word,
      details,
      ...(problem.fields.length > 0 && { fields: problem.fields }),
      ...problem.beside,
      request_id: requestId,
    },
  )

const aliased = ({ aliases = {} }: Route, parts: { data: unknown; pages?: unknown }): object =>
  Object.fromEntries(Object.entries(aliases).map(([name, part]) => [name, parts[part]]))

const enveloped = (route: Route, value: unknown): object => {
  const { envelope, response, beside, isFlat } = route
  if (envelope === 'bare') return { info: 'success', ...(inFieldOrder(response, value) as object) }
  if (envelope === 'data') {
    const data = inFieldOrder(response, value)
    return { info: 'success', data, ...aliased(route, { data }), ...(isFlat && (data as object)) }
  }
  const { data: records, totalCount, pages, ...more } = value as Page<unknown>
  const data = records.map(one => inFieldOrder(response, one))
  const extra = beside ? (inFieldOrder(beside, more) as object) : {}
  return { info: 'success', data, totalCount, pages, ...aliased(route, { data, pages }), ...extra }
}

/** A handler's value in the envelope of its route; a raw response only gets the common headers. */
export const successReply = (route: Route, value: unknown, headers: Headers): Reply => {
  if (route.envelope === 'raw') {
    const raw = value as Reply
    return { ...raw, headers: { ...headers, ...raw.headers } }
  }
  const reply = json(200, headers, enveloped(route, value))
  if (!isTooLarge(reply)) return reply
  throw new Problem('payload_too_large', {
    details: 'The answer is too large. Ask for it in parts, with page and pageSize.',
  })
}

/**
 * What the caller is told of an error: a refusal as it is, a record too large for the table as 413, a busy table as 503,
 * anything else as 500 without internals.
 */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  if (error instanceof TooLarge) {
    return new Problem('payload_too_large', {
      details: 'A record would be larger than can be stored. Shorten its texts.',
    })
  }
  const busy =
    error instanceof Unavailable ||
    error instanceof TransactionRefused ||
    error instanceof ConditionFailed ||
    (error instanceof Error && error.name === 'TimeoutError')
  return busy
    ? new Problem('temporarily_unavailable', { headers: { 'retry-after': '1' } })
    : new Problem('internal_error')
}

/** Puts the handler's value, or the refusal, into the contract's envelope. */
export const envelope = (route: Route): Step => ({
  after: request => {
    request.response = successReply(route, request.response, request.event.state.headers)
  },
  onError: async request => {
    const { requestId } = request.event.state
    const problem = problemOf(request.error)
    const details = route.forBuyers ? await sentenceFor(problem, request.event) : problem.message
    request.response = problemReply(problem, commonHeaders(route, requestId), requestId, details)
  },
})
