import { Problem } from '../contract/errors.ts'
import type { Method, Route } from '../contract/route.ts'
import { commonHeaders } from './envelope.ts'
import type { Reply, Step } from './step.ts'

const preflight = (route: Route, requestId: string): Reply => ({
  statusCode: 204,
  headers: {
    ...commonHeaders(route, requestId),
    'access-control-allow-methods': route.methods.join(', '),
    'access-control-allow-headers': 'content-type, x-request-id',
    'access-control-max-age': '86400',
  },
})

/** Refuses wrong methods, and replies to the CORS preflights of public routes. HEAD counts as GET. */
export const methods = (route: Route): Step => ({
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
