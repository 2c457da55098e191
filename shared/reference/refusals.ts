import { type ErrorWord, errors } from '../contract/errors.ts'
import { errorsOf, type Route } from '../contract/route.ts'
import type { JsonSchema } from '../contract/schema/wire.ts'

/** Returns the statuses of an error word on a route. Two words have one of two statuses: see Problem. */
const statusesOf = ({ path, level, permissions }: Route, word: ErrorWord): number[] => {
  if (word === 'basket_not_found') return [path.startsWith('/service/baskets/') ? 404 : 422]
  if (word !== 'quota_exceeded') return [errors[word][0]]
  return level === 'service' && 'quota' in permissions ? [422, 429] : [429]
}

/** Returns the error words of a route by status, in ascending order. */
export const refusalsOf = (route: Route): [status: number, words: ErrorWord[]][] => {
  const pairs = errorsOf(route).flatMap(word => statusesOf(route, word).map(status => ({ status, word })))
  const byStatus = Map.groupBy(pairs, ({ status }) => status)
  return [...byStatus]
    .map(([status, all]): [number, ErrorWord[]] => [status, all.map(({ word }) => word)])
    .sort(([one], [other]) => one - other)
}

/** Returns the name of a refusal's example; a word whose status depends on the route has two. */
export const exampleNameOf = (status: number, word: ErrorWord): string =>
  status === errors[word][0] ? word : `${word}_${status}`

const exampleOf = (code: number, word: ErrorWord): JsonSchema => {
  const [, details] = errors[word]
  const value = { info: 'error', code, error: word, details, request_id: '2f1f3c9e-6d0b-4c53-9d5e-0d4a1f6d3b52' }
  return { summary: details, value }
}

/** Returns an example of each refusal of the routes, by name. */
export const refusalExamples = (routes: readonly Route[]): Record<string, JsonSchema> =>
  Object.fromEntries(
    routes
      .flatMap(refusalsOf)
      .flatMap(([status, words]) => words.map(word => [exampleNameOf(status, word), exampleOf(status, word)])),
  )
