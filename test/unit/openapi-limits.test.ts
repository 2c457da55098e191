import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import * as v from 'valibot'
import { routes } from '../../shared/contract/routes/index.ts'
import { openApiDocument } from '../../shared/reference/document.ts'
import { bodiesFor } from '../support/fuzz.ts'
import type { Json } from '../support/harness.ts'

const document: Json = openApiDocument({ baseUrl: 'https://service.test' })
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'document')

const json = routes.filter(({ methods, level }) => methods.includes('POST') && level !== 'webhook')
const bodyOf = (path: string): Json => document.paths[path].post.requestBody.content['application/json'].schema
const checkOf = (path: string) =>
  ajv.compile({
    $ref: `document#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/post/requestBody/content/application~1json/schema`,
  })

const resolved = (schema: Json): Json =>
  schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema

// The rules that JSON Schema can express. The bounds of a number do not apply to numeric texts.
const sayable = new Set(['strict_object', 'picklist', 'literal', 'object', 'array', 'string'])
const isSayable = (sent: Json, { type, input, path }: v.BaseIssue<unknown>): boolean => {
  if (/^(max|min)_length$/.test(type)) return Array.isArray(input)
  const given = path?.reduce((at: Json, { key }) => at?.[key as string], sent)
  return sayable.has(type) || (/^(max|min)_value$/.test(type) && typeof given === 'number')
}

test.each(json)('the document refuses values whose form or length $path refuses', route => {
  const check = checkOf(route.path)
  fc.assert(
    fc.property(bodiesFor(route.body, {}), body => {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return
      const sent = JSON.parse(JSON.stringify(body))
      const { issues = [] } = v.safeParse(route.body, sent)
      const issue = issues.find(one => isSayable(sent, one))
      if (issue && check(sent)) throw new Error(`${v.getDotPath(issue)} ${issue.type}: ${JSON.stringify(sent)}`)
    }),
    { numRuns: 60 },
  )
})

/** The value with an unknown key in each of its objects, one at a time. */
const withUnknownKeys = (value: Json): Json[] => {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one, n) => withUnknownKeys(one).map(other => value.with(n, other)))
  const below = Object.entries(value).flatMap(([name, one]) =>
    withUnknownKeys(one).map(other => ({ ...value, [name]: other })),
  )
  return [{ ...value, no_such_field: 1 }, ...below]
}

test.each(json)('$path accepts unknown keys exactly where the document allows them', route => {
  const check = checkOf(route.path)
  fc.assert(
    fc.property(bodiesFor(route.body, {}), body => {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return
      const sent = JSON.parse(JSON.stringify(body))
      if (!v.safeParse(route.body, sent).success || !check(sent)) return
      for (const odd of withUnknownKeys(sent))
        expect([odd, check(odd)]).toEqual([odd, v.safeParse(route.body, odd).success])
    }),
    { numRuns: 30 },
  )
})

type Part = v.GenericSchema & { entries?: Record<string, Part>; wrapped?: Part }

/** The fields of a request, nested fields included, each with its schema in the document. */
const fieldsOf = (part: Part | undefined, schema: Json, path: string): [string, Part, Json][] => {
  const own = part?.wrapped ?? part
  const said = resolved(schema)
  const object = said?.anyOf ? resolved(said.anyOf.find((one: Json) => resolved(one).properties)) : said
  return Object.entries(own?.entries ?? {}).flatMap(([name, field]): [string, Part, Json][] => {
    const documented = object?.properties?.[name]
    return [[`${path}${name}`, field, documented], ...fieldsOf(field, documented, `${path}${name}.`)]
  })
}

test.each(json)('the document has the value that $path uses for a missing field as its default', route => {
  for (const [path, field, documented] of fieldsOf(route.body as Part, bodyOf(route.path), '')) {
    const { success, output } = v.safeParse(field, undefined)
    if (!success || !['string', 'number'].includes(typeof output)) {
      // A documented default is the service's default.
      if (documented?.default !== undefined)
        expect([path, output]).toEqual([path, v.safeParse(field, documented.default).output])
      continue
    }
    expect([path, documented?.default]).toEqual([path, output])
  }
})

test('the document describes rules in words that JSON Schema cannot express', () => {
  const { properties } = resolved(bodyOf('/service/addresses/add').properties.data)
  expect(properties.mail.description).toContain('Must be a mail address such as name@example.org.')
})

test('the document describes answers in their single form', () => {
  const { active, gross } = document.components.schemas.Wine.properties
  expect([active.enum, gross.type]).toEqual([[0, 1], 'string'])
})

test('the document has the headers of every answer and every operation', () => {
  const named = (name: string) => ({ $ref: `#/components/headers/${name}` })
  for (const route of routes)
    for (const path of route.documentedPaths ?? [route.path])
      for (const method of route.methods) {
        const { responses, parameters = [], ...operation } = document.paths[path][method.toLowerCase()]
        expect(operation['x-timeout-seconds']).toBe(route.timeout ?? 15)
        const read = parameters.filter((one: Json) => one.in === 'header').map(({ name }: Json) => name)
        expect([path, read]).toEqual([path, Object.keys(route.headers?.reads ?? {})])
        for (const [status, response] of Object.entries<Json>(responses)) {
          const { headers } = response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response
          const isDone = Number(status) < 400
          expect([path, status, headers]).toEqual([
            path,
            status,
            {
              'x-request-id': named('RequestId'),
              ...(/429|503/.test(status) && { 'retry-after': named('RetryAfter') }),
              ...(isDone && route.deprecated && { deprecation: named('Deprecation') }),
              ...(isDone &&
                Object.fromEntries(Object.keys(route.headers?.sends ?? {}).map(name => [name, expect.anything()]))),
            },
          ])
        }
      }
})

test('all fields of a list and its aliases are required', () => {
  const answerOf = (path: string): Json =>
    document.paths[path].post.responses[200].content['application/json'].schema.required
  expect(answerOf('/service/wines/search')).toEqual(expect.arrayContaining(['info', 'data', 'totalCount', 'pages']))
  for (const { path, envelope, aliases = {} } of routes)
    if (envelope !== 'raw' && envelope !== 'bare')
      expect([path, answerOf(path)]).toEqual([path, expect.arrayContaining(['info', 'data', ...Object.keys(aliases)])])
})
