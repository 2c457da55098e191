import type * as v from 'valibot'
import type { Route } from '../../contract/route.ts'
import type { JsonSchema } from '../../contract/wire.ts'
import { Converter, type Side } from './json-schema.ts'
import { named } from './named.ts'

const converters: Readonly<Record<Side, Converter>> = {
  takes: new Converter('takes', named.takes),
  gives: new Converter('gives', named.gives),
}

const info = { const: 'success' }

/** Where a page of a list stands. */
export const Pages: JsonSchema = {
  type: 'object',
  description: 'Where the page stands: `total` is the number of the last page, `size` how many records a page has.',
  required: ['current', 'total', 'size'],
  properties: {
    current: { type: 'integer' },
    total: { type: 'integer' },
    size: { type: 'integer' },
    next: {
      type: 'object',
      description: 'Where the list goes on, of a page that ended early or was asked for by `start`.',
      required: ['start'],
      properties: { start: { type: 'integer' } },
    },
  },
}

const pages = { $ref: '#/components/schemas/Pages' }

const bodyOf = (schema: v.GenericSchema): JsonSchema => converters.gives.of(schema)

const answer = (required: JsonSchema, optional: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
})

/** The schema of what a route takes: of its body, and of path parameters and query string together. */
export const requestSchema = ({ body }: Route): JsonSchema => converters.takes.of(body)

/** The schema of the whole body of a route's success; undefined for one that is no JSON of the envelope. */
export const answerSchema = ({ envelope, response, aliases = {}, beside, isFlat }: Route): JsonSchema | undefined => {
  if (envelope === 'raw') return undefined
  const body = bodyOf(response)
  if (envelope === 'bare') {
    const { required = [], properties } = body as { required?: readonly string[]; properties: JsonSchema }
    return { type: 'object', required: ['info', ...required], properties: { info, ...properties } }
  }
  const data = envelope === 'list' ? { type: 'array', items: body } : body
  const repeated = Object.fromEntries(
    Object.entries(aliases).map(([name, part]) => [name, part === 'data' ? data : envelope === 'list' ? pages : {}]),
  )
  if (envelope === 'data') {
    const { properties = {} } = (isFlat ? converters.gives.definition(response) : {}) as { properties?: JsonSchema }
    return answer({ info, data, ...repeated, ...properties })
  }
  const extra = beside ? (bodyOf(beside) as { required?: readonly string[]; properties: JsonSchema }) : undefined
  const needed = Object.fromEntries((extra?.required ?? []).map(name => [name, extra?.properties[name]]))
  return answer({ info, data, totalCount: { type: 'integer' }, pages, ...repeated, ...needed }, extra?.properties)
}

/** The schema of a request that a reference stands for; any other stands for itself. */
export const resolved = (schema: JsonSchema): JsonSchema => {
  const [known] = [...named.takes].find(([, name]) => schema.$ref === `#/components/schemas/${name}`) ?? []
  return known ? converters.takes.definition(known) : schema
}
