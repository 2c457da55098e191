import { randomUUID } from 'node:crypto'
import { type Route, routeKindOf } from '../contract/route.ts'
import { count, log, writeMetrics } from '../platform/log.ts'
import { problemOf } from './envelope.ts'
import { commonHeaders, type Middleware, type MiddyRequest, type Reply } from './middleware.ts'

const wellFormedId = /^[A-Za-z0-9._-]{1,64}$/

/** Counts a failed request by its cause: the caller, the service or the payment provider. 503 is none of these. */
const countFailure = (status: number): void => {
  if (status >= 400 && status < 500) count('ClientErrors')
  if (status === 500) count('ServerErrors')
  if (status === 502 || status === 504) count('ProviderFailures')
}

/**
 * Sets the request id (the caller's, if well-formed), and logs one line with metrics and fields when the response is ready.
 * An internal error is logged as well, with its stack.
 */
export const requestLog = (route: Route): Middleware => {
  const kind = routeKindOf(route)
  const write = ({ event, response, error }: MiddyRequest): void => {
    const { requestId: request_id, started, session } = event.state
    const { statusCode: status = 200 } = response as Reply
    count('Latency', Date.now() - started)
    countFailure(status)
    const { word, because } = error ? problemOf(error) : {}
    writeMetrics({
      ...{ kind, route: route.path, status, error: word, because, request_id },
      ...{ gateway_request_id: event.requestContext.requestId, merchant: session?.merchant },
      user: session?.user.name,
    })
    if (status === 500) log.error('failed', { route: route.path, request_id, error })
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
