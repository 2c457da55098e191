import type { MiddlewareObj, Request as MiddyRequest } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { SignedInClient } from '../clients/sessions.ts'
import type { Route } from '../contract/route.ts'
import type { SignedIn } from '../merchants/sessions.ts'
import { Unavailable } from '../platform/table/failures.ts'

/** A response as API Gateway takes it from a function. */
export type Reply = APIGatewayProxyStructuredResultV2

/** The state of a request: its id, its start (in milliseconds), the response's headers, the session and the client. */
export type State = {
  requestId: string
  started: number
  headers: Record<string, string>
  session?: SignedIn
  client?: SignedInClient | undefined
}

/** API Gateway's event with what the steps add to it; `fields` is the validated request. */
export type ServedEvent = APIGatewayProxyEventV2 & { state: State; fields: unknown }

/** One step of the chain in serve.ts. */
export type Step = MiddlewareObj<ServedEvent, unknown, Error, Context>

/** The argument of a step, from middy. */
export type Served = MiddyRequest<ServedEvent, unknown, Error, Context>

/** Headers of a response. */
export type ReplyHeaders = Record<string, string>

/** The headers that every response of a route carries. */
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

// Milliseconds reserved for the answer.
const reserve = 500

/**
 * Waits for what a request needs, as long as its function can still answer: one that Lambda ends leaves the answer to the
 * gateway, which knows neither the contract's shape nor the request id. Throws Unavailable then.
 */
export const inTime = async <T>(context: Context, work: Promise<T>): Promise<T> => {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const left = Math.max(0, context.getRemainingTimeInMillis() - reserve)
  const timer = setTimeout(() => reject(new Unavailable('the time of the function is over')), left)
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
