import * as v from 'valibot'
import { type ErrorWord, errors, sessionErrors } from '../../contract/errors.ts'
import type { ClientUse, Level, Method, Route } from '../../contract/route.ts'
import type { JsonSchema } from '../../contract/wire.ts'
import { exampleNameOf, refusalsOf } from './refusals.ts'
import { codeSamples } from './samples.ts'
import { answerSchema, requestSchema, resolved } from './schemas.ts'
import { tagOf } from './tags.ts'

const headersOf = (sends: Readonly<Record<string, string>>): JsonSchema =>
  Object.fromEntries(
    Object.entries(sends).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

const requestId = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }

const statusSays: Readonly<Record<number, string>> = {
  200: 'Success.',
  206: 'The requested bytes.',
  302: 'A redirect to the file.',
  304: 'Not modified: the ETag is that of the current version.',
}

const successes = (route: Route, examples: JsonSchema | undefined): JsonSchema => {
  const { serves = {}, headers, deprecated } = route
  const sends = {
    ...requestId,
    ...(deprecated && { deprecation: { $ref: '#/components/headers/Deprecation' } }),
    ...headersOf(headers?.sends ?? {}),
  }
  const schema = answerSchema(route)
  if (schema)
    return {
      200: {
        description: statusSays[200],
        headers: sends,
        content: { 'application/json': { schema, ...(examples && { examples }) } },
      },
      ...(headers?.sends?.etag && { 304: { description: statusSays[304], headers: sends } }),
    }
  return Object.fromEntries(
    Object.entries(serves).map(([status, type]) => [
      status,
      {
        description: statusSays[Number(status)],
        headers: sends,
        ...(type && { content: { [type]: { ...(type === 'application/json' && { schema: { type: 'object' } }) } } }),
      },
    ]),
  )
}

type Refused = [status: number, words: readonly ErrorWord[]]

const refusal = (status: number, words: readonly ErrorWord[]): JsonSchema => ({
  description: words.map(word => `- \`${word}\`: ${errors[word][1]}`).join('\n'),
  headers: {
    ...requestId,
    ...((status === 429 || status === 503) && { 'retry-after': { $ref: '#/components/headers/RetryAfter' } }),
  },
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Refusal' },
          {
            properties: {
              code: { const: status, description: 'The HTTP status.' },
              error: { enum: words, description: 'A stable word; decide by it.' },
            },
          },
        ],
      },
      examples: Object.fromEntries(
        words.map(word => [word, { $ref: `#/components/examples/${exampleNameOf(status, word)}` }]),
      ),
    },
  },
})

/** Returns the refusals that several routes share, by name. */
export const sharedRefusals = (routes: readonly Route[]): Record<string, JsonSchema> =>
  Object.fromEntries(
    routes.flatMap(refusalsOf).flatMap(one => {
      const name = sharedNameOf(one)
      return name ? [[name, refusal(...one)]] : []
    }),
  )

// Shared, for example `not_signed_in`; a status with words of the route's own is written in full.
const sharedNameOf = ([status, words]: Refused): string | undefined => {
  if (words.length === 1) return exampleNameOf(status, words[0] as ErrorWord)
  return words.join() === sessionErrors.join() ? 'not_signed_in' : undefined
}

const refusalOrName = (one: Refused): JsonSchema => {
  const name = sharedNameOf(one)
  return name ? { $ref: `#/components/responses/${name}` } : refusal(...one)
}

const levels: Readonly<Record<Level, JsonSchema[]>> = {
  service: [{ session: [] }],
  public: [],
  open: [],
  webhook: [],
}

const securityOf = ({ level, client }: Route): JsonSchema[] => {
  if (client === 'required') return [{ session: [], client: [] }]
  return client === 'refused' ? levels[level] : [...levels.service, { session: [], client: [] }]
}

const callers: Readonly<Record<Level, string>> = {
  service: "Needs a merchant's session; call it from a server, since it sends no CORS headers.",
  public: 'Needs no credential; browsers of any site may call it.',
  open: 'Needs no session; call it from a server, since it sends no CORS headers.',
  webhook: 'Only for the payment provider.',
}

const clients: Readonly<Record<ClientUse, string>> = {
  refused: '',
  prices: 'With `Client-Authorization` the prices are those of that client; an invalid token is ignored.',
  narrows: 'With `Client-Authorization` it is limited to the records of that client.',
  required: 'Needs `Client-Authorization`: it is about the client who is signed in.',
}

const descriptionOf = ({ summary, level, client, role, methods, timeout = 15 }: Route): string =>
  [
    summary,
    callers[level],
    role && `The session must be of an API token with the role \`${role}\`.`,
    clients[client],
    methods.length > 1 && 'A GET takes the same parameters in its query string.',
    `Answers within ${timeout} seconds.`,
  ]
    .filter(Boolean)
    .join(' ')

const headerParameters = ({ headers }: Route): JsonSchema[] =>
  Object.entries(headers?.reads ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))

const typesOf = ({ type, enum: words, anyOf }: JsonSchema): unknown[] => {
  if (anyOf) return (anyOf as readonly JsonSchema[]).flatMap(one => typesOf(resolved(one)))
  if (type !== undefined) return [type].flat()
  return (words as readonly unknown[]).map(word => (word === null ? 'null' : typeof word))
}

const isStructure = (type: unknown): boolean => type === 'object' || type === 'array'

/**
 * A field as a parameter of the query string: text, or JSON where it is an object or a list (a text that may stand there
 * instead has no quotes). A query string cannot say null, and says flags as 1 and 0.
 */
const inQuery = (schema: JsonSchema, example: JsonSchema): JsonSchema => {
  const { description = '', ...rest } = schema
  const types = typesOf(resolved(schema))
  if (!types.some(isStructure)) {
    const { type, enum: words } = rest
    const sayable = (words as readonly unknown[] | undefined)?.filter(word => word !== null)
    const texts = [type].flat().filter(one => one !== 'null')
    if (texts.join() === 'boolean') return { description, schema: { enum: [0, 1] }, ...example }
    const written = { ...(type !== undefined && { type: texts }), ...(sayable && { enum: sayable }) }
    return { description, schema: { ...rest, ...written }, ...example }
  }
  if (!types.includes('string')) {
    const list = { ...rest, type: types.filter(isStructure) }
    return { description, content: { 'application/json': { schema: list, ...example } } }
  }
  const [, name] = /(\w+)$/.exec(String(schema.$ref ?? '')) ?? []
  const form = `A text as it is, or an object or list as JSON${name ? `: see \`${name}\`` : ''}.`
  return { description: `${description} ${form}`, schema: { type: 'string' }, ...example }
}

/** Parameters that only a documented path has, where the route itself has one greedy parameter. */
const partsOfPath: Readonly<Record<string, JsonSchema>> = {
  language: { type: 'string', description: 'Language of the names: `de` or `en`.' },
  table: { type: 'string', description: 'Name of the table, as `countries` or `grapetypes`.' },
}

/** Returns the parameters of a GET: in the path, and all others in the query string, where objects are written as JSON. */
const fieldParameters = (route: Route, path: string, sample: JsonSchema = {}): JsonSchema[] => {
  const { properties = {}, required = [] } = requestSchema(route) as {
    properties?: Readonly<Record<string, JsonSchema>>
    required?: readonly string[]
  }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const told = Object.entries(properties).filter(
    ([name]) => !inPath.includes(name) && !route.path.includes(`{${name}+}`),
  )
  const exampleOf = (name: string) => (name in sample ? { example: sample[name] } : {})
  return [
    ...inPath.map(name => {
      const { description, ...schema } = properties[name] ?? partsOfPath[name] ?? {}
      return { name, in: 'path', required: true, description, schema, ...exampleOf(name) }
    }),
    ...told.map(([name, schema]) => ({
      name,
      in: 'query',
      ...(required.includes(name) && { required: true }),
      ...inQuery(schema, exampleOf(name)),
    })),
  ]
}

const operationIdOf = (path: string): string =>
  path
    .replace(/^\/service\//, '/')
    .replace(/^\/wines\//, start => (path.startsWith('/service/') ? start : '/public/wines/'))
    .replace(/\{(\w+)\+?\}/g, 'by/$1')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((part, n) =>
      n === 0 ? part.replace(/^[A-Z]+/, start => start.toLowerCase()) : part.slice(0, 1).toUpperCase() + part.slice(1),
    )
    .join('')

/** An example request and its answer; no answer if it is not JSON of the envelope, or a refusal. */
export type Example = { name: string; request: JsonSchema; answer?: unknown }

type Examples = Readonly<Record<string, { summary: string; value: unknown }>>

/** Some part of each example, as OpenAPI lists examples. */
const examplesOf = (examples: readonly Example[], part: (one: Example) => unknown): Examples | undefined => {
  const told = examples.map((one, n) => [`example${n + 1}`, { summary: one.name, value: part(one) }] as const)
  const known = told.filter(([, { value }]) => value !== undefined)
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

/** One method of a route as OpenAPI describes it. */
export const operationOf = (
  route: Route,
  method: Method,
  path: string,
  examples: readonly Example[] = [],
): JsonSchema => {
  const { summary, deprecated, timeout = 15, methods } = route
  const requests = examplesOf(examples, ({ request }) => request)
  const answers = examplesOf(examples, ({ answer }) => answer)
  const parameters = [
    ...headerParameters(route),
    ...(method === 'GET' ? fieldParameters(route, path, examples[0]?.request) : []),
  ]
  return {
    operationId: operationIdOf(path) + (methods.length > 1 && method === 'POST' ? 'ByPost' : ''),
    summary,
    description: descriptionOf(route),
    tags: [tagOf(route)],
    ...(deprecated && { deprecated: true }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'POST' && {
      requestBody: {
        // Without a body a request is `{}`.
        required: !v.safeParse(route.body, {}).success,
        content: { 'application/json': { schema: requestSchema(route), ...(requests && { examples: requests }) } },
      },
    }),
    responses: {
      ...successes(route, answers),
      ...Object.fromEntries(refusalsOf(route).map(one => [one[0], refusalOrName(one)])),
    },
    'x-timeout-seconds': timeout,
    'x-codeSamples': codeSamples(route, method, path, examples[0]?.request),
  }
}
