import * as v from 'valibot'
import { type ErrorWord, errors, sessionErrors } from '../contract/errors.ts'
import type { ClientUse, Level, Method, Route } from '../contract/route.ts'
import type { JsonSchema } from '../contract/schema/wire.ts'
import type { Example } from './examples.ts'
import { exampleNameOf, refusalsOf } from './refusals.ts'
import { codeSamples } from './samples.ts'
import { answerSchema, requestSchema, resolveReference } from './schemas.ts'
import { tagOf } from './tags.ts'

const headersOf = (sends: Readonly<Record<string, string>>): JsonSchema =>
  Object.fromEntries(
    Object.entries(sends).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

const requestId = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }

const statusDescriptions: Readonly<Record<number, string>> = {
  200: 'Success.',
  206: 'The requested bytes.',
  302: 'A redirect to the file.',
  304: 'Not modified: the ETag in the request is that of the current version.',
}

const contentOf = (type: string): JsonSchema => (type === 'application/json' ? { schema: { type: 'object' } } : {})

type MediaType = NonNullable<Route['mediaTypes']>[number]

const contentsOf = (type: MediaType): Record<string, JsonSchema> =>
  Object.fromEntries([type ?? []].flat().map(one => [one, contentOf(one)]))

const successResponses = (route: Route, examples: JsonSchema | undefined): JsonSchema => {
  const { mediaTypes = {}, headers, deprecated } = route
  const responseHeaders = {
    ...requestId,
    ...(deprecated && { deprecation: { $ref: '#/components/headers/Deprecation' } }),
    ...headersOf(headers?.sends ?? {}),
  }
  const schema = answerSchema(route)
  if (schema)
    return {
      200: {
        description: statusDescriptions[200],
        headers: responseHeaders,
        content: { 'application/json': { schema, ...(examples && { examples }) } },
      },
      ...(headers?.sends?.etag && { 304: { description: statusDescriptions[304], headers: responseHeaders } }),
    }
  return Object.fromEntries(
    Object.entries(mediaTypes)
      .filter(([status]) => Number(status) < 400)
      .map(([status, type]) => [
        status,
        {
          description: statusDescriptions[Number(status)],
          headers: responseHeaders,
          ...(type && { content: contentsOf(type) }),
        },
      ]),
  )
}

type RefusalStatus = [status: number, words: readonly ErrorWord[]]

const refusal = (status: number, words: readonly ErrorWord[], others: Record<string, JsonSchema> = {}): JsonSchema => ({
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
              error: { enum: words, description: 'A stable word for programs.' },
            },
          },
        ],
      },
      examples: Object.fromEntries(
        words.map(word => [word, { $ref: `#/components/examples/${exampleNameOf(status, word)}` }]),
      ),
    },
    ...others,
  },
})

// The name of a shared response; a status with several words is shared only for the words of a missing session.
const sharedNameOf = ([status, words]: RefusalStatus): string | undefined => {
  if (words.length === 1) return exampleNameOf(status, words[0] as ErrorWord)
  return words.join() === sessionErrors.join() ? 'not_signed_in' : undefined
}

/** Returns the responses of refusals that several routes share, by name. */
export const sharedRefusals = (routes: readonly Route[]): Record<string, JsonSchema> =>
  Object.fromEntries(
    routes.flatMap(refusalsOf).flatMap(one => {
      const name = sharedNameOf(one)
      return name ? [[name, refusal(...one)]] : []
    }),
  )

const refusalReference = ({ mediaTypes = {} }: Route, one: RefusalStatus): JsonSchema => {
  const type = mediaTypes[one[0]]
  if (type) return refusal(...one, contentsOf(type))
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

/** The title of an operation, which is shown as it is: the first sentence of its summary, without Markdown and full stop. */
const titleOf = ({ summary }: Route): string => summary.replace(/\.( .*)?$/, '').replaceAll('`', '')

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
  if (anyOf) return (anyOf as readonly JsonSchema[]).flatMap(one => typesOf(resolveReference(one)))
  if (type !== undefined) return [type].flat()
  return (words as readonly unknown[]).map(word => (word === null ? 'null' : typeof word))
}

const isStructure = (type: unknown): boolean => type === 'object' || type === 'array'

/**
 * Returns a field as a parameter of the query string: text, or JSON for an object or a list. A text that is accepted in
 * place of an object has no quotes. Null is not possible; booleans are 1 and 0.
 */
const inQuery = (schema: JsonSchema, example: JsonSchema): JsonSchema => {
  const { description = '', ...rest } = schema
  const types = typesOf(resolveReference(schema))
  if (!types.some(isStructure)) {
    const { type, enum: words } = rest
    const values = (words as readonly unknown[] | undefined)?.filter(word => word !== null)
    const texts = [type].flat().filter(one => one !== 'null')
    if (texts.join() === 'boolean') return { description, schema: { enum: [0, 1] }, ...example }
    const narrowed = { ...(type !== undefined && { type: texts }), ...(values && { enum: values }) }
    return { description, schema: { ...rest, ...narrowed }, ...example }
  }
  if (!types.includes('string')) {
    const list = { ...rest, type: types.filter(isStructure) }
    return { description, content: { 'application/json': { schema: list, ...example } } }
  }
  const [, name] = /(\w+)$/.exec(String(schema.$ref ?? '')) ?? []
  const form = `A text without quotes, or an object or list as JSON${name ? `: see \`${name}\`` : ''}.`
  return { description: `${description} ${form}`, schema: { type: 'string' }, ...example }
}

/** Path parameters of the documented paths of a route with a greedy parameter. */
const documentedPathParameters: Readonly<Record<string, JsonSchema>> = {
  language: { type: 'string', description: 'Language of the names: `de` or `en`.' },
  hash: { type: 'string', description: 'Hash of the wine, as its own lists have it.' },
  table: { type: 'string', description: 'Name of the table, as `countries` or `grapetypes`.' },
}

/** Returns the parameters of a GET: those in its path, and all others in the query string. */
const fieldParameters = (route: Route, path: string, sample: JsonSchema = {}): JsonSchema[] => {
  const { properties = {}, required = [] } = requestSchema(route) as {
    properties?: Readonly<Record<string, JsonSchema>>
    required?: readonly string[]
  }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const inQueryString = Object.entries(properties).filter(
    ([name]) => !inPath.includes(name) && !route.path.includes(`{${name}+}`),
  )
  const exampleOf = (name: string) => (name in sample ? { example: sample[name] } : {})
  return [
    ...inPath.map(name => {
      const { description, ...schema } = properties[name] ?? documentedPathParameters[name] ?? {}
      return { name, in: 'path', required: true, description, schema, ...exampleOf(name) }
    }),
    ...inQueryString.map(([name, schema]) => ({
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

type Examples = Readonly<Record<string, { summary: string; value: unknown }>>

/** Returns a part of each example, in OpenAPI's form; undefined if no example has it. */
const examplesOf = (examples: readonly Example[], part: (one: Example) => unknown): Examples | undefined => {
  const all = examples.map((one, n) => [`example${n + 1}`, { summary: one.name, value: part(one) }] as const)
  const present = all.filter(([, { value }]) => value !== undefined)
  return present.length > 0 ? Object.fromEntries(present) : undefined
}

/** Returns OpenAPI's operation object for a method of a route. */
export const operationOf = (
  route: Route,
  method: Method,
  path: string,
  examples: readonly Example[] = [],
): JsonSchema => {
  const { deprecated, timeout = 15, methods } = route
  const requests = examplesOf(examples, ({ request }) => request)
  const answers = examplesOf(examples, ({ answer }) => answer)
  const parameters = [
    ...headerParameters(route),
    ...(method === 'GET' ? fieldParameters(route, path, examples[0]?.request) : []),
  ]
  return {
    operationId: operationIdOf(path) + (methods.length > 1 && method === 'POST' ? 'ByPost' : ''),
    summary: titleOf(route),
    description: descriptionOf(route),
    tags: [tagOf(route)],
    ...(deprecated && { deprecated: true }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'POST' && {
      requestBody: {
        // A request without a body counts as `{}`.
        required: !v.safeParse(route.body, {}).success,
        content: { 'application/json': { schema: requestSchema(route), ...(requests && { examples: requests }) } },
      },
    }),
    responses: {
      ...successResponses(route, answers),
      ...Object.fromEntries(refusalsOf(route).map(one => [one[0], refusalReference(route, one)])),
    },
    'x-timeout-seconds': timeout,
    'x-codeSamples': codeSamples(route, method, path, examples[0]?.request),
  }
}
