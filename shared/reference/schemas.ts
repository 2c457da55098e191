import type * as v from 'valibot'
import type { Route } from '../contract/route.ts'
import type { JsonSchema } from '../contract/schema/wire.ts'
import { Converter, type Side } from './json-schema.ts'
import { named } from './named.ts'

const converters: Readonly<Record<Side, Converter>> = {
  input: new Converter('input', named.input),
  output: new Converter('output', named.output),
}

const info = { const: 'success', description: 'Always `success`; a refusal has `error`.' }

/** The position of a page in its list. */
export const Pages: JsonSchema = {
  type: 'object',
  description: 'Position of the page in its list.',
  required: ['current', 'total', 'size'],
  properties: {
    current: { type: 'integer', description: 'Number of this page, from 1.' },
    total: { type: 'integer', description: 'Number of the last page.' },
    size: { type: 'integer', description: 'Records on a page; of a page that ended early, the records it has.' },
    next: {
      type: 'object',
      description: 'Start of the next page. Present if the page ended early or was asked for by `start`.',
      required: ['start'],
      properties: {
        start: { type: 'integer', description: 'Number of records before the next page; send it as `start`.' },
      },
    },
  },
}

const pages = { $ref: '#/components/schemas/Pages', description: 'Position of the page in its list.' }

const withDescription = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description })

const bodyOf = (schema: v.GenericSchema): JsonSchema => converters.output.of(schema)

const answer = (required: JsonSchema, optional: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
})

/** Returns the schema of a request: of a POST's body, or of a GET's path parameters and query string together. */
export const requestSchema = ({ body }: Route): JsonSchema => converters.input.of(body)

const totalCount = { type: 'integer', description: 'Number of records in the whole list.' }

/** Returns the schema of the whole body of a successful response; undefined for a raw response. */
export const answerSchema = ({
  envelope,
  response,
  aliases = {},
  listFields,
  isFlat,
}: Route): JsonSchema | undefined => {
  if (envelope === 'raw') return undefined
  const body = bodyOf(response)
  if (envelope === 'bare') {
    const { required = [], properties } = body as { required?: readonly string[]; properties: JsonSchema }
    return { type: 'object', required: ['info', ...required], properties: { info, ...properties } }
  }
  const data: JsonSchema =
    envelope === 'list'
      ? { type: 'array', items: body, description: 'Records of this page.' }
      : { ...body, description: body.description ?? 'Result of the request.' }
  const repeated = Object.fromEntries(
    Object.entries(aliases).map(([name, part]) => [
      name,
      withDescription(part === 'data' ? data : pages, `The same as \`${part}\`, for existing clients.`),
    ]),
  )
  if (envelope === 'data') {
    const { properties = {} } = (isFlat ? converters.output.definition(response) : {}) as { properties?: JsonSchema }
    return answer({ info, data, ...repeated, ...properties })
  }
  const extra = listFields
    ? (bodyOf(listFields) as { required?: readonly string[]; properties: JsonSchema })
    : undefined
  const needed = Object.fromEntries((extra?.required ?? []).map(name => [name, extra?.properties[name]]))
  return answer({ info, data, totalCount, pages, ...repeated, ...needed }, extra?.properties)
}

/** Resolves a reference to a request's schema; returns any other schema unchanged. */
export const resolved = (schema: JsonSchema): JsonSchema => {
  const [known] = [...named.input].find(([, name]) => schema.$ref === `#/components/schemas/${name}`) ?? []
  return known ? converters.input.definition(known) : schema
}
