import * as v from 'valibot'
import { type ErrorWord, errors } from '../../shared/contract/errors.ts'
import { errorsOf, type Method, type Route } from '../../shared/contract/route.ts'
import { Refusal, successOf } from '../../shared/contract/schema/answer.ts'
import type { Reply } from './send.ts'

// Only the path of a wrong value is reported, not the value: it may be a token.
const issueIn = (schema: v.GenericSchema, json: unknown): string | undefined => {
  const issue = v.safeParse(schema, json).issues?.[0]
  return issue && `the answer violates its schema at ${v.getDotPath(issue) ?? 'its top'}, expected ${issue.expected}`
}

/** Returns a wrong copy of `data` or `pages` in an answer. */
const wrongCopyIn = ({ aliases = {} }: Route, json: unknown): string | undefined => {
  const body = json as Readonly<Record<string, unknown>>
  const wrong = Object.entries(aliases).find(
    ([name, part]) => JSON.stringify(body[name]) !== JSON.stringify(body[part]),
  )
  return wrong && `${wrong[0]} differs from ${wrong[1]}`
}

// The beginning of files, by media type.
const beginnings: Readonly<Record<string, string>> = {
  'application/pdf': '%PDF-',
  'application/gzip': '\x1f\x8b',
  'image/png': '\x89PNG',
  'image/webp': 'RIFF',
  'image/svg+xml': '<svg',
}

const wrongInFile = ({ mediaTypes = {} }: Route, { status, headers, bytes }: Reply): string | undefined => {
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const media = mediaTypes[status]
  if (media === undefined) return `the status is ${status}`
  if (media === null) return undefined
  const fits = [media]
    .flat()
    .some(one => new RegExp(`^${one.replaceAll('*', '.+').replace('+xml', '\\+xml')}$`).test(type))
  if (!fits) return `the media type is ${type} instead of ${media}`
  const beginning = beginnings[type] ?? ''
  return bytes.toString('latin1', 0, beginning.length) === beginning ? undefined : `the file is no ${type}`
}

// The headers of every success, and additional headers of a level.
const always = { 'x-content-type-options': 'nosniff' }
const ofLevel: Partial<Record<Route['level'], Record<string, string>>> = {
  service: { 'cache-control': 'no-store' },
  public: { 'access-control-allow-origin': '*' },
}

// Public JSON is cached for a moment, and its ETag prevents sending it again; a POST has neither.
const cacheHeadersOf = (method: Method): Record<string, string | RegExp | null> =>
  method === 'GET' ? { 'cache-control': 'public, max-age=5', etag: /./ } : { 'cache-control': null, etag: null }

const wrongInHeaders = (route: Route, method: Method, { status, headers }: Reply): string | undefined => {
  const { level, envelope, deprecated, headers: { sends } = {} } = route
  const isCached = sends?.etag !== undefined && status === 200
  const expected: Record<string, string | RegExp | null> = {
    ...{ 'x-request-id': /./, ...always, ...ofLevel[level], ...(deprecated && { deprecation: /./ }) },
    ...(isCached && (envelope === 'raw' ? { etag: /./, 'cache-control': /./ } : cacheHeadersOf(method))),
  }
  const wrong = Object.entries(expected).find(([name, value]) => {
    const actual = headers.get(name)
    return value instanceof RegExp ? !value.test(actual ?? '') : actual !== value
  })
  return wrong && `the header ${wrong[0]} is ${headers.get(wrong[0])} instead of ${wrong[1]}`
}

/** Returns the fault in a route's success, if any. */
export const wrongInSuccess = (route: Route, method: Method, reply: Reply): string | undefined => {
  const wrongInBody = (): string | undefined => {
    if (route.envelope === 'raw') return wrongInFile(route, reply)
    return reply.status === 304 ? undefined : (issueIn(successOf(route), reply.json) ?? wrongCopyIn(route, reply.json))
  }
  return wrongInBody() ?? wrongInHeaders(route, method, reply)
}

/** The error word of a refusal. */
export const wordIn = (json: unknown): ErrorWord | undefined =>
  v.is(Refusal, json) && Object.hasOwn(errors, json.error) ? (json.error as ErrorWord) : undefined

// The headers that explain a status.
const explaining: Readonly<Record<number, string>> = { 401: 'www-authenticate', 405: 'allow' }

/** Returns the fault in a route's refusal, if any. */
export const wrongInRefusal = (
  route: Pick<Route, 'level' | 'client' | 'errors'>,
  { status, json, headers }: Pick<Reply, 'status' | 'json' | 'headers'>,
): string | undefined => {
  const word = wordIn(json)
  if (!word) return issueIn(Refusal, json) ?? 'the refusal has no error word of the contract'
  if ((json as { code: number }).code !== status) return 'the refusal repeats another status as its code'
  const header = explaining[status]
  if (header && !headers.get(header)) return `the header ${header} is missing`
  return errorsOf(route).includes(word) ? undefined : `the route does not declare ${word}`
}
