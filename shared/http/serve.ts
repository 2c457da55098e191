import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import type * as v from 'valibot'
import type { SignedInClient } from '../clients/sessions.ts'
import { type ErrorWord, Problem } from '../contract/errors.ts'
import type { ClientUse, Envelope, Level, Route } from '../contract/route.ts'
import type { Page } from '../contract/schema/lists.ts'
import type { SignedIn } from '../merchants/sessions.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import { delivery } from './delivery.ts'
import { envelope } from './envelope.ts'
import { type Middleware, type Reply, type RequestEvent, withinTimeout } from './middleware.ts'
import { bodyBytes, checkMethod, sourceOf, validateBody } from './request.ts'
import { requestLog } from './request-log.ts'

type RouteOf<L extends Level, Use extends ClientUse> = Route<v.GenericSchema, v.GenericSchema, L, Envelope, Use>

type ClientIn<Use extends ClientUse> = Use extends 'required'
  ? SignedInClient
  : Use extends 'refused'
    ? undefined
    : SignedInClient | undefined

/** The argument of a handler: the validated request with the caller's identity. */
export type Call<R extends Route> = {
  /** The output of the route's schema: JSON body, or path parameters and query string. */
  body: v.InferOutput<R['body']>
  /** The signed-in merchant, on Service routes. */
  merchant: R['level'] extends 'service' ? MerchantId : undefined
  session: R['level'] extends 'service' ? SignedIn : undefined
  /** The merchant's client that `Client-Authorization` names, on routes that accept this header. */
  client: ClientIn<R['client']>
  /** The bytes of the body, on webhooks, whose signatures are about them. */
  rawBody: R['level'] extends 'webhook' ? Buffer : undefined
  /**
   * The caller's network, for rate limits; on open routes, the only routes to which the edge (lib/stack/front) forwards
   * it.
   */
  sourceIp: R['level'] extends 'open' ? string : undefined
  /** The request headers; names are in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  /** The time at which API Gateway received the request, in milliseconds since 1970. */
  received: number
  /** Protocol and host of the service, for links. */
  baseUrl: string
  /** Adds a header to the successful response. */
  setHeader: (name: string, value: string) => void
}

type Result<R extends Route> = R['envelope'] extends 'raw'
  ? Reply
  : R['envelope'] extends 'list'
    ? Page<v.InferOutput<R['response']>>
    : v.InferOutput<R['response']>

// The headers Host and X-Forwarded-Proto are not used: the client controls them.
const baseUrlOf = ({ requestContext }: RequestEvent): string =>
  process.env.BASE_URL ?? `https://${requestContext.domainName}`

const callOf = <R extends Route>(route: R, event: RequestEvent): Call<R> => {
  const { state, fields, headers, requestContext } = event
  return {
    body: fields,
    merchant: state.session?.merchant,
    session: state.session,
    client: state.client,
    ...(route.level === 'webhook' && { rawBody: bodyBytes(event) }),
    ...(route.level === 'open' && { sourceIp: sourceOf(event) }),
    headers,
    received: requestContext.timeEpoch,
    baseUrl: baseUrlOf(event),
    setHeader: (name: string, value: string) => {
      state.headers[name] = value
    },
  } as Call<R>
}

type Handler<R extends Route> = (call: Call<R>) => Promise<Result<R>>

/**
 * Returns the Lambda handler of a route: its handler, wrapped in middy middleware. The `before` hooks run from left to right,
 * `after` and `onError` from right to left: request id, log and metrics; caching headers and compression; response envelope
 * and errors; allowed methods and CORS preflight; sign-in; validation of the request. The handler returns a plain value or
 * throws a Problem.
 */
const lambdaHandler = <R extends Route>(route: R, signIn: readonly Middleware[], handler: Handler<R>) =>
  middy<RequestEvent, unknown, Error, Context>({ timeoutEarlyInMillis: 0 })
    .use([requestLog(route), delivery(route), envelope(route), checkMethod(route), ...signIn, validateBody(route)])
    .handler((event, context) => withinTimeout(context, handler(callOf(route, event))))

/**
 * Authenticates the caller before the body is parsed, and stores session and client in the event's state. Throws a Problem
 * with status 401. The session is stored first, because log and refusals of clients use its merchant.
 */
type SignIn = (event: RequestEvent, use: ClientUse) => Promise<void>

/**
 * Returns the Lambda handler of a route without sign-in. Service routes use serveMerchant, or serveClient where a client of
 * the merchant may also be signed in.
 */
export const serve = <R extends RouteOf<Exclude<Level, 'service'>, 'refused'>>(route: R, handler: Handler<R>) =>
  lambdaHandler(route, [], handler)

const checkRole = ({ role }: Route, { state }: RequestEvent): void => {
  if (!role || state.session?.role === role) return
  throw new Problem('role_missing', { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } })
}

/** Returns a function like `serve` for routes with this sign-in; their bundles contain no other sign-in. */
export const serveWithSignIn =
  <Use extends ClientUse>(signIn: SignIn) =>
  <R extends RouteOf<'service', Use>>(route: R, handler: Handler<R>) => {
    const before: Middleware['before'] = async ({ event, context }) => {
      await withinTimeout(context, signIn(event, route.client))
      checkRole(route, event)
    }
    return lambdaHandler(route, [{ before }], handler)
  }

/** Returns a Lambda handler that refuses every request with an error word. */
export const refuseWith = (route: Route, word: ErrorWord) =>
  middy<RequestEvent, unknown, Error, Context>()
    .use([requestLog(route), envelope(route)])
    .handler(() => {
      throw new Problem(word)
    })
