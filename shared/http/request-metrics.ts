import { kindOf } from '../contract/kind.ts'
import type { Route } from '../contract/route.ts'
import { count, writeMetrics } from '../metrics.ts'
import { problemOf } from './envelope.ts'
import type { Reply, Served, Step } from './step.ts'

/** Measures the request, and writes all that was measured for it as one line. */
export const requestMetrics = (route: Route): Step => {
  const kind = kindOf(route)
  const write = ({ event, response, error }: Served): void => {
    const { statusCode: status = 200 } = response as Reply
    count('Latency', Date.now() - event.state.started)
    if (status >= 500) count('ServerErrors')
    else if (status >= 400) count('ClientErrors')
    writeMetrics({ kind, route: route.path, status, error: error ? problemOf(error).word : undefined })
  }
  return { after: write, onError: write }
}
