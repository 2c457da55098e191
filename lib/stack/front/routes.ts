import { routes } from '../../../shared/contract/index.ts'
import { isCacheable, type Route } from '../../../shared/contract/route.ts'

/** Routes whose answers CloudFront may keep. */
export const keptRoutes = routes.filter(isCacheable)

/** Routes that count by the caller's address. */
export const countingRoutes = routes.filter(({ level }) => level === 'open')

/** The paths of a route as CloudFront writes them: `/PDF/{id}/{file}` is `/PDF/*`. */
export const patternOf = ({ path }: Pick<Route, 'path'>): string => path.replace(/\{.*$/, '*')

// Conditions and ranges a cache answers from what it holds; encodings are in the key in a form of their own.
const handled = new Set(['if-none-match', 'range', 'accept-encoding'])

/** The request headers, beside those, that make another answer of some of the routes. */
export const keyHeaders = (among: readonly Pick<Route, 'headers'>[]): string[] => [
  ...new Set(among.flatMap(({ headers }) => Object.keys(headers?.reads ?? {})).filter(name => !handled.has(name))),
]
