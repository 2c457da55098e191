import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import type * as v from 'valibot'
import type { SignedInClient } from '../clients/sessions.ts'
import { type ErrorWord, Problem } from '../contract/errors.ts'
import type { Page } from '../contract/lists.ts'
import type { ClientUse, Envelope, Level, Method, Route } from '../contract/route.ts'
import type { SignedIn } from '../merchants/sessions.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import { delivery } from './delivery.ts'
import { envelope } from './envelope.ts'
import { body, bytesOf, methods, sourceOf } from './request.ts'
import { requestLog } from './request-log.ts'
import { inTime, type Reply, type ServedEvent, type Step } from './step.ts'

type RouteOf<L extends Level, Use extends ClientUse> = Route<v.GenericSchema, v.GenericSchema, L, Envelope, Use>

type ClientIn<Use extends ClientUse> = Use extends 'required'
  ? SignedInClient
  : Use extends 'refused'
    ? undefined
    : SignedInClient | undefined

/** The argument of a handler: the validated request, and on Service routes the merchant. */
export type Call<R extends Route> = {
  body: v.InferOutput<R['body']>
  merchant: R['level'] extends 'service' ? MerchantId : undefined
  session: R['level'] extends 'service' ? SignedIn : undefined
  /** The signed-in client of the merchant, on routes that accept one. */
  client: ClientIn<R['client']>
  /** On webhooks the body byte for byte: what its sender signed. */
  rawBody: R['level'] extends 'webhook' ? Buffer : undefined
  /**
   * The network address of the client, for counting; only on open routes, the only ones to which the edge forwards it
   * (lib/stack/front).
   */
  sourceIp: R['level'] extends 'open' ? string : undefined
  /** Request headers, names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  method: Method
  /** When the request came to the gateway, in milliseconds; its function may begin later. */
  received: number
  /** The start of links to the service: protocol and host. */
  baseUrl: string
  /** Adds a header to the successful response. */
  setHeader: (name: string, value: string) => void
}

type Value<R extends Route> = R['envelope'] extends 'raw'
  ? Reply
  : R['envelope'] extends 'list'
    ? Page<v.InferOutput<R['response']>>
    : v.InferOutput<R['response']>

// Never from the headers Host and X-Forwarded-Proto, which the client controls.
const baseUrlOf = ({ requestContext }: ServedEvent): string =>
  process.env.BASE_URL ?? `https://${requestContext.domainName}`

const callOf = <R extends Route>(route: R, event: ServedEvent): Call<R> => {
  const { state, fields, headers, requestContext } = event
  return {
    body: fields,
    merchant: state.session?.merchant,
    session: state.session,
    client: state.client,
    ...(route.level === 'webhook' && { rawBody: bytesOf(event) }),
    ...(route.level === 'open' && { sourceIp: sourceOf(event) }),
    headers,
    method: requestContext.http.method,
    received: requestContext.timeEpoch,
    baseUrl: baseUrlOf(event),
    setHeader: (name: string, value: string) => {
      state.headers[name] = value
    },
  } as Call<R>
}

type Handle<R extends Route> = (call: Call<R>) => Promise<Value<R>>

/**
 * A route's function. A request goes through the steps from left to right and its response back from right to left:
 * request id, log and metrics; compression and caching; envelope and errors; methods and preflight; sign-in; body and
 * validation; then the handler, which returns plain values and refuses by throwing a Problem.
 */
const chain = <R extends Route>(route: R, signIn: readonly Step[], handle: Handle<R>) =>
  middy<ServedEvent, unknown, Error, Context>({ timeoutEarlyInMillis: 0 })
    .use([requestLog(route), delivery(route), envelope(route), methods(route), ...signIn, body(route)])
    .handler((event, context) => inTime(context, handle(callOf(route, event))))

/**
 * Notes in the event's state who calls, before anything of the body is parsed. Throws the 401 that fits. The session is
 * noted first: refusals of clients and the log name the merchant.
 */
type SignIn = (event: ServedEvent, use: ClientUse) => Promise<void>

/** The function of a route without a sign-in, so without merchant and client. */
export const serve = <R extends RouteOf<Exclude<Level, 'service'>, 'refused'>>(route: R, handle: Handle<R>) =>
  chain(route, [], handle)

const checkRole = ({ role }: Route, { state }: ServedEvent): void => {
  if (!role || state.session?.role === role) return
  throw new Problem('role_missing', { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } })
}

/** Returns a `serve` for routes with this sign-in; its functions load no other sign-in. */
export const servingAfter =
  <Use extends ClientUse>(signIn: SignIn) =>
  <R extends RouteOf<'service', Use>>(route: R, handle: Handle<R>) => {
    const before: Step['before'] = async ({ event, context }) => {
      await inTime(context, signIn(event, route.client))
      checkRole(route, event)
    }
    return chain(route, [{ before }], handle)
  }

/** A function that refuses every request with one word. */
export const refusing = (route: Route, word: ErrorWord) =>
  middy<ServedEvent, unknown, Error, Context>()
    .use([requestLog(route), envelope(route)])
    .handler(() => {
      throw new Problem(word)
    })
