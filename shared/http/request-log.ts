import { randomUUID } from 'node:crypto'
import { kindOf, type Route } from '../contract/route.ts'
import { count, log, writeMetrics } from '../platform/log.ts'
import { problemOf } from './envelope.ts'
import { commonHeaders, type Reply, type Served, type Step } from './step.ts'

const wellFormedId = /^[A-Za-z0-9._-]{1,64}$/

/** Counts a request that did not succeed as the caller's, our own or the payment provider's failure; 503 is none of these. */
const countFailure = (status: number): void => {
  if (status >= 400 && status < 500) count('ClientErrors')
  if (status === 500) count('ServerErrors')
  if (status === 502 || status === 504) count('ProviderFailures')
}

/**
 * Gives a request its id (the caller's, when well-formed) and, at its end, writes its one line: its metrics, and the
 * fields to find it by. An error of our own is a line besides, with its stack.
 */
export const requestLog = (route: Route): Step => {
  const kind = kindOf(route)
  const write = ({ event, response, error }: Served): void => {
    const { requestId: request_id, started, session } = event.state
    const { statusCode: status = 200 } = response as Reply
    count('Latency', Date.now() - started)
    countFailure(status)
    writeMetrics({
      ...{ kind, route: route.path, status, error: error ? problemOf(error).word : undefined, request_id },
      ...{ gateway_request_id: event.requestContext.requestId, customers_id: session?.merchant },
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
