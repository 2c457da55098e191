import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as v from 'valibot'
import { type BadField, Problem } from '../contract/errors.ts'
import { brokenRule, mostFields, validationProblem } from '../contract/refusal.ts'
import type { Route } from '../contract/route.ts'
import { longestKey } from '../contract/wire.ts'
import type { Step } from './step.ts'

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

/** The fields of a query string; the first of several equal names counts. */
const queryFields = ({ rawQueryString }: APIGatewayProxyEventV2): Fields => {
  const fields = Object.create(null) as Fields
  for (const [name, value] of new URLSearchParams(rawQueryString)) fields[name] ??= queryValue(value)
  return fields
}

/** What the caller sent: the JSON body of a POST, or path parameters and query string of a GET. */
export const requestFields = (event: APIGatewayProxyEventV2): Fields =>
  event.requestContext.http.method === 'POST' ? bodyFields(event) : { ...queryFields(event), ...event.pathParameters }

type Nested = { entries?: Readonly<Record<string, Nested>>; wrapped?: Nested }

const nestedAt = (schema: Nested | undefined, keys: readonly unknown[]): Nested | undefined => {
  if (schema?.wrapped) return nestedAt(schema.wrapped, keys)
  return keys.length === 0 ? schema : nestedAt(schema?.entries?.[String(keys[0])], keys.slice(1))
}

const badFields = (schema: Nested, issue: v.GenericIssue): BadField[] => {
  const field = { path: v.getDotPath(issue) ?? '', ...brokenRule(issue) }
  const above = issue.path?.slice(0, -1).map(({ key }) => key) ?? []
  const entries = field.rule === 'not_writable' && nestedAt(schema, above)?.entries
  if (!entries) return [field]
  // A strict object stops at the first key it does not know; the caller is told of all.
  const unknown = Object.keys(issue.path?.at(-1)?.input as object).filter(key => !Object.hasOwn(entries, key))
  return unknown.slice(0, mostFields).map(key => ({ ...field, path: [...above, key.slice(0, longestKey)].join('.') }))
}

/** What a schema makes of a value. Throws validation_failed or field_not_writable with every bad field. */
export const validate = <S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> => {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw validationProblem(result.issues.flatMap(issue => badFields(schema as Nested, issue)))
}

/** Reads and validates the request. */
export const body = (route: Route): Step => ({
  before: ({ event }) => {
    checkPayload(event)
    event.fields = validate(route.body, requestFields(event))
  },
})
