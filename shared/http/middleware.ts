import type { MiddlewareObj, Request } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { SignedInClient } from '../clients/sessions.ts'
import type { Route } from '../contract/route.ts'
import type { SignedIn } from '../merchants/sessions.ts'
import { Unavailable } from '../platform/table/failures.ts'

/** The response of a function to API Gateway. */
export type Reply = APIGatewayProxyStructuredResultV2

/**
 * The values that middleware sets for later middleware and the handler: the request id, the start (in milliseconds since
 * 1970), the headers of a successful response, and after sign-in the merchant's session and its client.
 */
export type RequestState = {
  requestId: string
  started: number
  headers: Record<string, string>
  session?: SignedIn
  client?: SignedInClient | undefined
}

/** API Gateway's event, extended by middleware; `fields` are the fields of the request, after validation. */
export type RequestEvent = APIGatewayProxyEventV2 & { state: RequestState; fields: unknown }

/** A middy middleware of a route; serve.ts lists them in order. */
export type Middleware = MiddlewareObj<RequestEvent, unknown, Error, Context>

/** The argument that middy passes to the hooks of a middleware. */
export type MiddyRequest = Request<RequestEvent, unknown, Error, Context>

export type ReplyHeaders = Record<string, string>

/** The headers of every response of a route. */
export const commonHeaders = (route: Route, requestId: string): ReplyHeaders => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  ...(route.level !== 'public' && { 'cache-control': 'no-store' }),
  ...(route.level === 'public' && {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'x-request-id',
  }),
  ...(route.deprecated && { deprecation: `@${route.deprecated}` }),
})

// The time that remains for building the response.
const reservedMs = 500

/**
 * Resolves or rejects as `work`, and rejects with Unavailable shortly before the function's timeout: after a timeout API
 * Gateway would answer by itself, without an error word and request id.
 */
export const withinTimeout = async <T>(context: Context, work: Promise<T>): Promise<T> => {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const remaining = Math.max(0, context.getRemainingTimeInMillis() - reservedMs)
  const timer = setTimeout(() => reject(new Unavailable('the time of the function is over')), remaining)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
