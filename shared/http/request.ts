import { isIP } from 'node:net'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as v from 'valibot'
import { type BadField, brokenRule, maxFields, Problem, validationProblem } from '../contract/errors.ts'
import type { Method, Route } from '../contract/route.ts'
import type { SchemaPart } from '../contract/schema-parts.ts'
import { maxKeyLength } from '../contract/wire.ts'
import { digestOf, sameDigest } from '../merchants/sessions.ts'
import { commonHeaders, type Reply, type ServedEvent, type Step } from './step.ts'

const preflight = (route: Route, requestId: string): Reply => ({
  statusCode: 204,
  headers: {
    ...commonHeaders(route, requestId),
    'access-control-allow-methods': route.methods.join(', '),
    'access-control-allow-headers': 'content-type, x-request-id',
    'access-control-max-age': '86400',
  },
})

/** Refuses wrong methods, and replies to the CORS preflights of public routes. HEAD counts as GET. */
export const methods = (route: Route): Step => ({
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

type Fields = Record<string, unknown>

// Counted before parsing: a parser recurses, and later readers of the value would too.
const tooDeep = (json: string): boolean => {
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

const parsed = (json: string): unknown => {
  if (tooDeep(json)) throw new Problem('json_too_deep')
  try {
    return JSON.parse(json)
  } catch {
    throw new Problem('invalid_json')
  }
}

/** The body as it was sent; the gateway hands text over as text and all else in base64. */
export const bytesOf = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')

const notUtf8 = () => new Problem('invalid_json', { details: 'The body is not valid UTF-8.' })

const textOf = (event: APIGatewayProxyEventV2): string => {
  const { body = '', isBase64Encoded } = event
  if (!isBase64Encoded) {
    // Of bytes that are no UTF-8 the gateway makes this character, which nobody means to send.
    if (body.includes('\ufffd')) throw notUtf8()
    return body
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(event))
  } catch {
    throw notUtf8()
  }
}

/** Throws payload_too_large or unsupported_media_type before anything is read. */
export const checkPayload = (event: APIGatewayProxyEventV2): void => {
  const { body, isBase64Encoded, headers } = event
  if (!body) return
  if (Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > maxBytes) throw new Problem('payload_too_large')
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type && type !== 'application/json') throw new Problem('unsupported_media_type')
}

/** The fields of a JSON body. Nothing, white space and PHP's empty map `[]` count as `{}`. */
const bodyFields = (event: APIGatewayProxyEventV2): Fields => {
  const json = textOf(event).replace(/^\ufeff/, '')
  if (json.trim() === '') return {}
  const value = parsed(json)
  if (Array.isArray(value) && value.length === 0) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new Problem('validation_failed', { details: 'The body must be a JSON object.' })
}

// `filter` and an object `query` travel as JSON text in a query string; a text that only looks like it is a text.
const queryValue = (text: string): unknown => {
  if (!/^[[{]/.test(text) || tooDeep(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The fields of a query string; of several equal names the first is used. */
const queryFields = ({ rawQueryString }: APIGatewayProxyEventV2): Fields => {
  const fields = Object.create(null) as Fields
  for (const [name, value] of new URLSearchParams(rawQueryString)) fields[name] ??= queryValue(value)
  return fields
}

/** Returns the fields of the request: the JSON body of a POST, or path parameters and query string of a GET. */
export const requestFields = (event: APIGatewayProxyEventV2): Fields =>
  event.requestContext.http.method === 'POST' ? bodyFields(event) : { ...queryFields(event), ...event.pathParameters }

const nestedAt = (schema: SchemaPart | undefined, keys: readonly unknown[]): SchemaPart | undefined => {
  if (schema?.wrapped) return nestedAt(schema.wrapped, keys)
  return keys.length === 0 ? schema : nestedAt(schema?.entries?.[String(keys[0])], keys.slice(1))
}

const badFields = (schema: SchemaPart, issue: v.GenericIssue): BadField[] => {
  const field = { path: v.getDotPath(issue) ?? '', ...brokenRule(issue) }
  const above = issue.path?.slice(0, -1).map(({ key }) => key) ?? []
  const entries = field.rule === 'not_writable' && nestedAt(schema, above)?.entries
  if (!entries) return [field]
  // A strict object stops at the first key it does not know; the answer lists all.
  const unknown = Object.keys(issue.path?.at(-1)?.input as object).filter(key => !Object.hasOwn(entries, key))
  return unknown.slice(0, maxFields).map(key => ({ ...field, path: [...above, key.slice(0, maxKeyLength)].join('.') }))
}

/** Returns the parsed value. Throws validation_failed or field_not_writable with every bad field. */
export const validate = <S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> => {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw validationProblem(result.issues.flatMap(issue => badFields(schema as unknown as SchemaPart, issue)))
}

/** Reads and validates the request. */
export const body = (route: Route): Step => ({
  before: ({ event }) => {
    checkPayload(event)
    event.fields = validate(route.body, requestFields(event))
  },
})

/** The header that proves that a request came through the edge (CloudFront), and the one with the client's address. */
export const frontHeader = 'x-weinkontor-front'
export const viewerHeader = 'cloudfront-viewer-address'

// Digests have one length, so that the time of the comparison reveals nothing of the key.
const isFromFront = (given = ''): boolean => {
  const key = process.env.FRONT_KEY
  return key ? sameDigest(digestOf(given), digestOf(key)) : false
}

// An IPv4 address in IPv6 notation, and an address with a zone, have no network that can be read from the text.
const isPlain = (address: string): boolean => isIP(address) !== 0 && !/:.*[.%]/.test(address)

/**
 * The first 64 bits of an IPv6 address, any other address itself. A client with one IPv6 address has all
 * addresses of that network, and could use another one each time.
 */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6 || !isPlain(address)) return address
  const [head = [], tail = []] = address.split('::').map(part => part.split(':').filter(Boolean))
  const left = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail].slice(0, 4)
  return `${left.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The network in `192.0.2.1:443` or `2001:db8::1:443` (so CloudFront writes it, without brackets); undefined for none. */
const networkIn = (viewer: string | undefined): string | undefined => {
  const address = /^(.+):\d{1,5}$/.exec(viewer ?? '')?.[1] ?? ''
  return isPlain(address) ? networkOf(address) : undefined
}

/**
 * Returns the source address of a request: the one that the edge (CDN) reports, if the request came through it, else the
 * one that the gateway saw. An address that the client claims is never used.
 */
export const sourceOf = ({ headers, requestContext }: Pick<ServedEvent, 'headers' | 'requestContext'>): string =>
  (isFromFront(headers[frontHeader]) ? networkIn(headers[viewerHeader]) : undefined) ?? requestContext.http.sourceIp

/**
 * The caller's Idempotency-Key, null without one; the key of an owner (a client or a basket) differs
 * from the same key of another owner. Throws validation_failed unless it is 1 to 255 printable characters.
 */
export const idempotencyKeyOf = (
  headers: Readonly<Record<string, string | undefined>>,
  owner: string | null | undefined,
): string | null => {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  // No key holds a line end, so none is another owner's.
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return owner ? `${owner}\n${key}` : key
  throw validationProblem([{ path: 'Idempotency-Key', rule: 'printable', expected: '1 to 255 printable characters' }])
}
