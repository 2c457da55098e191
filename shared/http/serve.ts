import { randomUUID } from 'node:crypto'
import middy, { type MiddlewareObj, type Request } from '@middy/core'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import type * as v from 'valibot'
import type { Page } from '../contract/answers.ts'
import { type ErrorWord, Problem } from '../contract/errors.ts'
import type { Method, Route } from '../contract/route.ts'
import { checkSession, type SignedIn } from '../merchants/sessions.ts'
import type { MerchantId } from '../table/keys.ts'
import { checkPayload, requestFields } from './body.ts'
import { log } from './log.ts'
import { commonHeaders, problemOf, problemReply, type Reply, successReply } from './reply.ts'
import { validate } from './validate.ts'

/** What a handler gets: its validated request, and on Service routes whose request it is. */
export type Call<R extends Route> = {
  body: v.InferOutput<R['body']>
  merchant: R['level'] extends 'service' ? MerchantId : undefined
  session: R['level'] extends 'service' ? SignedIn : undefined
  sourceIp: string
  /** Request headers, names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  method: Method
  /** The host this request was sent to, with its protocol: what links to the service begin with. */
  baseUrl: string
  /** Adds a header to the successful answer. */
  setHeader: (name: string, value: string) => void
}

type Value<R extends Route> = R['envelope'] extends 'raw'
  ? Reply
  : R['envelope'] extends 'list'
    ? Page<v.InferOutput<R['response']>>
    : v.InferOutput<R['response']>

type State = { requestId: string; started: number; headers: Record<string, string>; session?: SignedIn }
type Served = APIGatewayProxyEventV2 & { state: State; fields: unknown }
type Step = MiddlewareObj<Served, unknown, Error, Context>
type Run = Request<Served, unknown, Error, Context>

const wellFormedId = /^[A-Za-z0-9._-]{1,64}$/

/** Gives the request its id (the caller's, when well-formed) and, at the end, its one line in the log. */
const recorded = (route: Route): Step => {
  const write = ({ event, response, error }: Run) => {
    const { requestId, started, session } = event.state
    const status = (response as Reply).statusCode
    const line = {
      route: route.path,
      status,
      ms: Date.now() - started,
      request_id: requestId,
      customers_id: session?.merchant,
    }
    if (status === 500) log.error('failed', { ...line, error: error as Error })
    else log.info('served', { ...line, ...(error instanceof Problem && { error: error.word }) })
  }
  return {
    before: ({ event }) => {
      const given = event.headers['x-request-id'] ?? ''
      const requestId = wellFormedId.test(given) ? given : randomUUID()
      event.state = { requestId, started: Date.now(), headers: commonHeaders(route, requestId) }
    },
    after: write,
    onError: write,
  }
}

/** Puts the handler's value, or the refusal, into the contract's envelope. */
const answered = (route: Route): Step => ({
  after: request => {
    request.response = successReply(route, request.response, request.event.state.headers)
  },
  onError: request => {
    const { requestId } = request.event.state
    request.response = problemReply(problemOf(request.error), commonHeaders(route, requestId), requestId)
  },
})

const preflight = (route: Route, requestId: string): Reply => ({
  statusCode: 204,
  headers: {
    ...commonHeaders(route, requestId),
    'access-control-allow-methods': route.methods.join(', '),
    'access-control-allow-headers': 'content-type, x-request-id',
    'access-control-max-age': '86400',
  },
})

/** Refuses wrong methods; answers the preflights of public routes. HEAD counts as GET. */
const methods = (route: Route): Step => ({
  before: ({ event }) => {
    const { method } = event.requestContext.http
    if (method === 'OPTIONS' && route.level === 'public') return preflight(route, event.state.requestId)
    if (method === 'HEAD' && route.methods.includes('GET')) return
    if (route.methods.includes(method as Method)) return
    throw new Problem('method_not_allowed', {
      details: `${route.path} answers ${route.methods.join(' and ')} only.`,
      headers: { allow: route.methods.join(', ') },
    })
  },
})

/** Signs the caller in before anything of the body is parsed. */
const signedIn = (route: Route): Step => ({
  before: async ({ event }) => {
    if (route.level === 'service') event.state.session = await checkSession(event.headers.authorization)
  },
})

/** Reads and validates the request. */
const read = (route: Route): Step => ({
  before: ({ event }) => {
    checkPayload(event)
    event.fields = validate(route.body, requestFields(event))
  },
})

const callOf = <R extends Route>({ state, fields, headers, requestContext }: Served): Call<R> =>
  ({
    body: fields,
    merchant: state.session?.merchant,
    session: state.session,
    sourceIp: requestContext.http.sourceIp,
    headers,
    method: requestContext.http.method,
    baseUrl: `${headers['x-forwarded-proto'] ?? 'http'}://${headers.host}`,
    setHeader: (name: string, value: string) => {
      state.headers[name] = value
    },
  }) as Call<R>

/**
 * A route's function: request id, methods, sign-in, limits, body, validation, the act itself, envelope, errors, log.
 * `act` is the route's whole story; it returns plain values and refuses by throwing a Problem.
 */
export const serve = <R extends Route>(route: R, act: (call: Call<R>) => Promise<Value<R>>) =>
  middy<Served, unknown, Error, Context>({ timeoutEarlyInMillis: 500 })
    .use([recorded(route), answered(route), methods(route), signedIn(route), read(route)])
    .handler(event => act(callOf<R>(event)))

/** A function that refuses every request with one word. */
export const refusing = (route: Route, word: ErrorWord) =>
  middy<Served, unknown, Error, Context>()
    .use([recorded(route), answered(route)])
    .handler(() => {
      throw new Problem(word)
    })
