import { type ErrorWord, errors } from '../contract/errors.ts'
import { errorsOf, type Route } from '../contract/route.ts'
import type { JsonSchema } from '../contract/schema/wire.ts'

/** The schema of all refusals. */
export const Refusal: JsonSchema = {
  type: 'object',
  description: 'A refusal.',
  required: ['info', 'code', 'error', 'details', 'request_id'],
  properties: {
    info: { const: 'error', description: 'Always `error`.' },
    code: { type: 'integer', description: 'The HTTP status.' },
    error: { type: 'string', description: 'A stable word for programs.' },
    details: { type: 'string', description: 'A sentence for people. Its wording may change.' },
    fields: {
      type: 'array',
      maxItems: 20,
      description: 'All bad fields of the request, at most 20. Received values are never repeated.',
      items: {
        type: 'object',
        required: ['path', 'rule', 'expected'],
        properties: {
          path: { type: 'string', description: 'Path of the field in the request, as `data.items.0.quantity`.' },
          rule: { type: 'string', description: 'The broken rule, a stable word.' },
          expected: { type: 'string', description: 'Completes "must be …".' },
          item_type: { type: 'string', description: 'Kind of an ordered item: `wine` or `product`.' },
          item_id: { type: 'integer', description: 'Id of an ordered item.' },
        },
      },
    },
    request_id: {
      type: 'string',
      description: 'The same as the header `x-request-id`; quote it when you report a problem.',
    },
  },
}

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
