import { isCacheable, type Route } from '../../../shared/contract/route.ts'
import { routes } from '../../../shared/contract/routes/index.ts'

/** Routes whose responses CloudFront may cache. */
export const keptRoutes = routes.filter(isCacheable)

/** Of these, the pages in the caller's language. */
export const translatedRoutes = keptRoutes.filter(({ headers }) => headers?.reads?.['accept-language'] !== undefined)

/** Routes with limits by the caller's address. */
export const countingRoutes = routes.filter(({ level }) => level === 'open')

/** The path pattern of a route for CloudFront: `/PDF/{id}/{file}` is `/PDF/*`. */
export const patternOf = ({ path }: Pick<Route, 'path'>): string => path.replace(/\{.*$/, '*')

// CloudFront answers conditions and ranges from its cache; it normalizes encodings in the cache key by itself.
const handled = new Set(['if-none-match', 'range', 'accept-encoding'])

/** The other request headers that change a response of these routes. */
export const keyHeaders = (among: readonly Pick<Route, 'headers'>[]): string[] => [
  ...new Set(among.flatMap(({ headers }) => Object.keys(headers?.reads ?? {})).filter(name => !handled.has(name))),
]
