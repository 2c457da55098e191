import { type Route, writes } from './route.ts'

/** Kinds of routes, whose requests take about as long as each other's. */
export const kinds = ['read', 'search', 'write', 'checkout', 'public', 'file'] as const

export type Kind = (typeof kinds)[number]

type Sketch = Pick<Route, 'level' | 'envelope' | 'permissions' | 'files'>

/** The kind of a route, as its rights tell it. */
export const kindOf = ({ level, envelope, permissions, files }: Sketch): Kind => {
  if (envelope === 'raw' || files.includes('writeExpertise')) return 'file'
  if (permissions.payment) return 'checkout'
  if (level === 'public') return 'public'
  if (permissions.wine?.includes('queryIndex')) return 'search'
  return writes({ permissions, files }) ? 'write' : 'read'
}
