import { isIP } from 'node:net'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as v from 'valibot'
import { type BadField, brokenRule, maxFields, Problem, validationProblem } from '../contract/errors.ts'
import type { Method, Route } from '../contract/route.ts'
import type { SchemaPart } from '../contract/schema/schema-parts.ts'
import { maxKeyLength } from '../contract/schema/wire.ts'
import { digestOf, sameDigest } from '../merchants/sessions.ts'
import { commonHeaders, type Middleware, type Reply, type RequestEvent } from './middleware.ts'

const preflight = (route: Route, requestId: string): Reply => ({
  statusCode: 204,
  headers: {
    ...commonHeaders(route, requestId),
    'access-control-allow-methods': route.methods.join(', '),
    'access-control-allow-headers': 'content-type, x-request-id',
    'access-control-max-age': '86400',
  },
})

/** Throws method_not_allowed, and answers the CORS preflights of public routes. HEAD counts as GET. */
export const checkMethod = (route: Route): Middleware => ({
  before: ({ event }) => {
    const { method } = event.requestContext.http
    if (method === 'OPTIONS' && route.level === 'public') return preflight(route, event.state.requestId)
    if (method === 'HEAD' && route.methods.includes('GET')) return
    if (route.methods.includes(method as Method)) return
    throw new Problem('method_not_allowed', {
      details: `${route.path} supports only ${route.methods.join(' and ')}.`,
      headers: { allow: route.methods.join(', ') },
    })
  },
})

const maxBytes = 256 * 1024
const maxDepth = 32

type RequestFields = Record<string, unknown>

// Checked before parsing, because a parser recurses, as later functions with the value do.
const isTooDeep = (json: string): boolean => {
  let depth = 0
  let quoted = false
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (quoted) {
      if (sign === '\\') at++
      else if (sign === '"') quoted = false
    } else if (sign === '"') quoted = true
    else if (sign === '{' || sign === '[') {
      if (++depth > maxDepth) return true
    } else if (sign === '}' || sign === ']') depth--
  }
  return false
}

const parseJson = (json: string): unknown => {
  if (isTooDeep(json)) throw new Problem('json_too_deep')
  try {
    return JSON.parse(json)
  } catch {
    throw new Problem('invalid_json')
  }
}

/** Returns the bytes of the body. API Gateway passes text as text and anything else in base64. */
export const bodyBytes = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')

const notUtf8 = () => new Problem('invalid_json', { details: 'The body is not valid UTF-8.' })

const bodyText = (event: APIGatewayProxyEventV2): string => {
  const { body = '', isBase64Encoded } = event
  if (!isBase64Encoded) {
    // API Gateway replaces invalid UTF-8 by this character.
    if (body.includes('\ufffd')) throw notUtf8()
    return body
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bodyBytes(event))
  } catch {
    throw notUtf8()
  }
}

/** Throws payload_too_large or unsupported_media_type, without parsing the body. */
export const checkPayload = (event: APIGatewayProxyEventV2): void => {
  const { body, isBase64Encoded, headers } = event
  if (!body) return
  if (Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > maxBytes) throw new Problem('payload_too_large')
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type && type !== 'application/json') throw new Problem('unsupported_media_type')
}

/** Returns the fields of a JSON body. An empty body, white space and PHP's empty array `[]` count as `{}`. */
const bodyFields = (event: APIGatewayProxyEventV2): RequestFields => {
  const json = bodyText(event).replace(/^\ufeff/, '')
  if (json.trim() === '') return {}
  const value = parseJson(json)
  if (Array.isArray(value) && value.length === 0) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as RequestFields
  throw new Problem('validation_failed', { details: 'The body must be a JSON object.' })
}

// In a query string, `filter` and an object `query` are JSON. A value that is not valid JSON is a text.
const queryValue = (text: string): unknown => {
  if (!/^[[{]/.test(text) || isTooDeep(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the fields of a query string; of a repeated name, the first value. */
const queryFields = ({ rawQueryString }: APIGatewayProxyEventV2): RequestFields => {
  const fields = Object.create(null) as RequestFields
  for (const [name, value] of new URLSearchParams(rawQueryString)) fields[name] ??= queryValue(value)
  return fields
}

/** Returns the fields of the request: the JSON body of a POST, or path parameters and query string of a GET. */
export const requestFields = (event: APIGatewayProxyEventV2): RequestFields =>
  event.requestContext.http.method === 'POST' ? bodyFields(event) : { ...queryFields(event), ...event.pathParameters }

const schemaAt = (schema: SchemaPart | undefined, keys: readonly unknown[]): SchemaPart | undefined => {
  if (schema?.wrapped) return schemaAt(schema.wrapped, keys)
  return keys.length === 0 ? schema : schemaAt(schema?.entries?.[String(keys[0])], keys.slice(1))
}

const badFields = (schema: SchemaPart, issue: v.GenericIssue): BadField[] => {
  const field = { path: v.getDotPath(issue) ?? '', ...brokenRule(issue) }
  const above = issue.path?.slice(0, -1).map(({ key }) => key) ?? []
  const entries = field.rule === 'not_writable' && schemaAt(schema, above)?.entries
  if (!entries) return [field]
  // Valibot reports only the first unknown key of a strict object; the response lists all.
  const unknown = Object.keys(issue.path?.at(-1)?.input as object).filter(key => !Object.hasOwn(entries, key))
  return unknown.slice(0, maxFields).map(key => ({ ...field, path: [...above, key.slice(0, maxKeyLength)].join('.') }))
}

/** Returns the output of a schema for a value. Throws validation_failed or field_not_writable with the bad fields. */
export const validate = <S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> => {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw validationProblem(result.issues.flatMap(issue => badFields(schema as unknown as SchemaPart, issue)))
}

/** Parses the request and validates it by the schema of the route. */
export const validateBody = (route: Route): Middleware => ({
  before: ({ event }) => {
    checkPayload(event)
    event.fields = validate(route.body, requestFields(event))
  },
})

/** The header with the key of the edge (CloudFront); it proves that the request passed the edge. */
export const edgeHeader = 'x-weinkontor-front'
/** The header in which the edge sends the caller's address. */
export const viewerHeader = 'cloudfront-viewer-address'

// Digests have equal lengths, so the time of the comparison reveals nothing about the key.
const isFromEdge = (given = ''): boolean => {
  const key = process.env.FRONT_KEY
  return key ? sameDigest(digestOf(given), digestOf(key)) : false
}

// False for an IPv4 address in IPv6 notation and an address with a zone: their text does not show the network.
const isPlain = (address: string): boolean => isIP(address) !== 0 && !/:.*[.%]/.test(address)

/**
 * Returns the /64 network of an IPv6 address, and any other address itself. A caller usually has all addresses of such a
 * network, and could use another address for each request.
 */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6 || !isPlain(address)) return address
  const [head = [], tail = []] = address.split('::').map(part => part.split(':').filter(Boolean))
  const left = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail].slice(0, 4)
  return `${left.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Returns the network of CloudFront's `192.0.2.1:443` or `2001:db8::1:443` (without brackets); undefined for anything else. */
const networkIn = (viewer: string | undefined): string | undefined => {
  const address = /^(.+):\d{1,5}$/.exec(viewer ?? '')?.[1] ?? ''
  return isPlain(address) ? networkOf(address) : undefined
}

/**
 * Returns the network or address of the caller: from the edge's header if the request passed the edge, else from API
 * Gateway. Headers that the caller can set are never used.
 */
export const sourceOf = ({ headers, requestContext }: Pick<RequestEvent, 'headers' | 'requestContext'>): string =>
  (isFromEdge(headers[edgeHeader]) ? networkIn(headers[viewerHeader]) : undefined) ?? requestContext.http.sourceIp

/**
 * Returns the Idempotency-Key, prefixed with its owner (a client or a basket), so that owners do not share keys; null
 * without a key. Throws validation_failed unless it has 1 to 255 printable characters.
 */
export const idempotencyKeyOf = (
  headers: Readonly<Record<string, string | undefined>>,
  owner: string | null | undefined,
): string | null => {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  // A valid key has no line end, so the prefix is unambiguous.
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return owner ? `${owner}\n${key}` : key
  throw validationProblem([{ path: 'Idempotency-Key', rule: 'printable', expected: '1 to 255 printable characters' }])
}
