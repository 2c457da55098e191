import type { Route } from '../../shared/contract/route.ts'
import type { Walk } from './walk.ts'

/** One line of the table: a route, what is done there, and how; resolves with a remark for the line, if any. */
export type Step = {
  route: string
  does: string
  walk(walk: Walk): Promise<string | undefined> | Promise<void>
}

/** Declares a step at a route of the contract. */
export const step = (route: Route['path'], does: string, walk: Step['walk']): Step => ({ route, does, walk })
