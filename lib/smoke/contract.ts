import * as v from 'valibot'
import { type ErrorWord, errors } from '../../shared/contract/errors.ts'
import { errorsOf, type Route } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { Refusal, successOf } from '../../shared/contract/schema/answer.ts'

/** The route of a path of the contract. Throws if there is none: the step has a mistake. */
export const routeOf = (path: string): Route => {
  const found = routes.find(route => route.path === path)
  if (found) return found
  throw new Error(`there is no route ${path}`)
}

// Only the path of a wrong value is reported, not the value: it may be a token.
const issueIn = (schema: v.GenericSchema, json: unknown): string | undefined => {
  const issue = v.safeParse(schema, json).issues?.[0]
  return issue && `the answer violates its schema at ${v.getDotPath(issue) ?? 'its top'}, expected ${issue.expected}`
}

/** Returns the fault in the body of a route's success, if any. */
export const wrongInSuccess = (route: Route, json: unknown): string | undefined => issueIn(successOf(route), json)

/** The error word of a refusal. */
export const wordIn = (json: unknown): ErrorWord | undefined =>
  v.is(Refusal, json) && Object.hasOwn(errors, json.error) ? (json.error as ErrorWord) : undefined

/** Returns the fault in the body of a route's refusal, if any. */
export const wrongInRefusal = (
  route: Pick<Route, 'level' | 'client' | 'errors'>,
  { status, json }: { status: number; json: unknown },
): string | undefined => {
  const word = wordIn(json)
  if (!word) return issueIn(Refusal, json) ?? 'the refusal has no error word of the contract'
  if ((json as { code: number }).code !== status) return 'the refusal repeats another status as its code'
  return errorsOf(route).includes(word) ? undefined : `the route does not declare ${word}`
}

// The headers of every success, and additional headers of a level.
const always = { 'x-content-type-options': 'nosniff' }
const ofLevel: Partial<Record<Route['level'], Record<string, string>>> = {
  service: { 'cache-control': 'no-store' },
  public: { 'access-control-allow-origin': '*' },
}

/** Returns the fault in the headers of a route's success, if any. */
export const wrongInHeaders = ({ level }: Route, headers: Headers): string | undefined => {
  if (!headers.get('x-request-id')) return 'the header x-request-id is missing'
  const wrong = Object.entries({ ...always, ...ofLevel[level] }).find(([name, value]) => headers.get(name) !== value)
  return wrong && `the header ${wrong[0]} is ${headers.get(wrong[0])} instead of ${wrong[1]}`
}
