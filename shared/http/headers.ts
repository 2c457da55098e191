import type { Route } from '../contract/route.ts'

/** The headers that every response of a route carries. */
export const commonHeaders = (route: Route, requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  ...(route.level !== 'public' && { 'cache-control': 'no-store' }),
  ...(route.level === 'public' && {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'x-request-id',
  }),
  ...(route.deprecated && { deprecation: `@${route.deprecated}` }),
})
