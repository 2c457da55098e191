import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { Problem } from '../contract/errors.ts'
import type { Route } from '../contract/route.ts'
import { ConditionFailed, TransactionRefused, Unavailable } from '../table/failures.ts'

/** An answer as API Gateway takes it from a function. */
export type Reply = APIGatewayProxyStructuredResultV2

type Headers = Record<string, string>

// Below Lambda's 6 MB for a synchronous answer, with room for headers and escaping.
const maxAnswerBytes = 5_500_000

/** The headers every answer of a route carries. */
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

const json = (statusCode: number, headers: Headers, body: object): Reply => ({
  statusCode,
  headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})

/** The contract's one error shape. */
export const problemReply = (problem: Problem, headers: Headers, requestId: string): Reply =>
  json(
    problem.status,
    { ...headers, 'cache-control': 'no-store', ...problem.headers },
    {
      info: 'error',
      code: problem.status,
      error: problem.word,
      details: problem.message,
      ...(problem.fields.length > 0 && { fields: problem.fields }),
      request_id: requestId,
    },
  )

const enveloped = (route: Route, value: unknown): object => {
  if (route.envelope === 'data') return { info: 'success', data: value, ...(route.alias && { [route.alias]: value }) }
  const fields = value as { data?: unknown }
  return { info: 'success', ...fields, ...(route.alias && { [route.alias]: fields.data }) }
}

/** A handler's value in the envelope of its route; a raw answer only gets the common headers. */
export const successReply = (route: Route, value: unknown, headers: Headers): Reply => {
  if (route.envelope === 'raw') {
    const raw = value as Reply
    return { ...raw, headers: { ...headers, ...raw.headers } }
  }
  const reply = json(200, headers, enveloped(route, value))
  if (Buffer.byteLength(reply.body ?? '') <= maxAnswerBytes) return reply
  throw new Problem('payload_too_large', {
    details: 'The answer is too large. Ask for it in parts, with page and pageSize.',
  })
}

/** What the caller is told of an error: a refusal as it is, a busy table as 503, anything else as 500 without internals. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  const busy =
    error instanceof Unavailable ||
    error instanceof TransactionRefused ||
    error instanceof ConditionFailed ||
    (error instanceof Error && error.name === 'TimeoutError')
  return busy
    ? new Problem('temporarily_unavailable', { headers: { 'retry-after': '1' } })
    : new Problem('internal_error')
}
