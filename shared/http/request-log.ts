import { randomUUID } from 'node:crypto'
import { Problem } from '../contract/errors.ts'
import type { Route } from '../contract/route.ts'
import { log } from '../log.ts'
import { commonHeaders } from './envelope.ts'
import type { Reply, Served, Step } from './step.ts'

const wellFormedId = /^[A-Za-z0-9._-]{1,64}$/

/** Gives the request its id (the caller's, when well-formed) and, at the end, its one line in the log. */
export const requestLog = (route: Route): Step => {
  const write = ({ event, response, error }: Served) => {
    const { requestId, started, session } = event.state
    const { statusCode: status } = response as Reply
    const line = {
      route: route.path,
      status,
      ms: Date.now() - started,
      request_id: requestId,
      gateway_request_id: event.requestContext.requestId,
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
