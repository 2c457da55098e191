import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import * as v from 'valibot'
import { errorsOf, type Route } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { requestFields } from '../../shared/http/request.ts'
import { openApiDocument } from '../../shared/reference/document.ts'
import { Converter } from '../../shared/reference/json-schema.ts'
import { requestSchema } from '../../shared/reference/schemas.ts'
import { withFlags } from '../support/document-check.ts'
import { bodiesFor } from '../support/fuzz.ts'
import type { Json } from '../support/harness.ts'
import { fewerInFastLane } from '../support/sampling.ts'

const document: Json = openApiDocument({ baseUrl: 'https://service.test' })

const written = routes.flatMap(route =>
  (route.documentedPaths ?? [route.path]).flatMap(path => route.methods.map(method => ({ route, path, method }))),
)
const operationAt = (path: string, method: string): Json => document.paths[path]?.[method.toLowerCase()]

/** The target of a reference. */
const resolved = (value: Json): Json =>
  value.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((at: Json, key: string) => at[key], document)
    : value

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(withFlags(document), 'document')
/** A schema of the document by itself. */
const inDocument = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema), (name, value) => (name === '$ref' ? value.replace('#/', 'document#/') : value))
const checkOf = (path: string, below = '') =>
  ajv.compile({
    $ref: `document#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/post/requestBody/content/application~1json/schema${below}`,
  })

test.each(written)('the document describes $method $path', ({ route, path, method }) => {
  const operation = operationAt(path, method)
  // Shown as a heading, without Markdown.
  expect(operation).toMatchObject({ summary: expect.stringMatching(/^[A-Z][^`]+[^`.]$/), tags: [expect.any(String)] })
  expect(operation.description.replaceAll('`', '').startsWith(operation.summary)).toBe(true)
  expect(Object.keys(operation.responses).some(status => /^[23]/.test(status))).toBe(true)
  const words = Object.values<Json>(operation.responses)
    .map(resolved)
    .flatMap(({ content }) => content?.['application/json']?.schema?.allOf?.[1].properties.error.enum ?? [])
  expect(new Set(words)).toEqual(new Set(errorsOf(route)))
  expect(Boolean(operation.deprecated)).toBe(Boolean(route.deprecated))
  for (const name of path.match(/(?<=\{)\w+/g) ?? [])
    expect(operation.parameters).toContainEqual(expect.objectContaining({ name, in: 'path' }))
})

test('the document describes nothing else, and operation ids are unique', () => {
  const all = Object.values<Json>(document.paths).flatMap(item => Object.values<Json>(item))
  expect(all).toHaveLength(written.length)
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
})

test('every operation has its security: a session, a session and a client, or none', () => {
  const securityOf = (path: string) => operationAt(path, 'POST').security
  expect(securityOf('/service/login')).toEqual([])
  expect(securityOf('/service/wines/edit')).toEqual([{ session: [] }])
  expect(securityOf('/service/wines/get')).toEqual([{ session: [] }, { session: [], client: [] }])
  expect(securityOf('/service/clients/get')).toEqual([{ session: [], client: [] }])
})

// The document describes texts as they are stored, trimmed and normalized, except passwords; filters without empty words;
// and objects where PHP may write an empty list.
const asKept = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, one) => {
    if (name === 'include' && Array.isArray(one)) return one.filter(Boolean)
    if (name === 'data' && Array.isArray(one) && one.length === 0) return {}
    return typeof one === 'string' && name !== 'password' ? one.normalize('NFC').trim() : one
  })

const json = routes.filter(({ methods, level }) => methods.includes('POST') && level !== 'webhook')

test.each(json)('$path accepts the values that the document accepts', route => {
  const check = checkOf(route.path)
  fc.assert(
    fc.property(bodiesFor(route.body, {}), body => {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return
      // As it arrives: JSON has neither undefined nor -0.
      const sent = JSON.parse(JSON.stringify(body))
      if (!v.safeParse(route.body, sent).success) return
      if (!check(asKept(sent)))
        throw new Error(`${JSON.stringify(sent).slice(0, 300)}: ${ajv.errorsText(check.errors)}`)
    }),
    { numRuns: fewerInFastLane(4, 40) },
  )
})

/** The service's reading of a GET with one parameter in its query string. */
const readOf = (route: Route, name: string, text: string): unknown => {
  const event = {
    rawQueryString: String(new URLSearchParams([[name, text]])),
    requestContext: { http: { method: 'GET' } },
  }
  return v.safeParse(route.body, requestFields(event as never)).output
}

const sayable = [null, true, false, 0, 1, 2, 'barolo', 'type', 'DESC', '7', {}, [], ['type'], { type: 'red' }]

const gets = written.filter(({ method }) => method === 'GET')

test.each(gets)('$path accepts query strings in the documented form', ({ route, path }) => {
  const { parameters = [] } = operationAt(path, 'GET')
  for (const [n, { name, in: place, schema, content }] of parameters.entries()) {
    if (place !== 'query') continue
    const below = schema ? 'schema' : 'content/application~1json/schema'
    const at = `document#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/get/parameters/${n}/${below}`
    const isSaid = ajv.compile({ $ref: at })
    for (const value of sayable) {
      const asked = v.safeParse(route.body, { [name]: value })
      const isRefused = (asked.issues ?? []).some(({ path: where }) => where?.[0]?.key === name)
      if (isRefused || !isSaid(value)) continue
      const read = readOf(route, name, content ? JSON.stringify(value) : String(value))
      expect([name, value, read]).toEqual([name, value, asked.output])
    }
  }
})

test.each(json)('the document requires a body of $path if {} is refused', route => {
  const isEmptyTaken = v.safeParse(route.body, {}).success
  expect(operationAt(route.path, 'POST').requestBody.required).toBe(!isEmptyTaken)
})

const wrong = [{ odd: { deeply: true } }, [['x']], 'no such word, and no number', -1.5, true]

// Parameters without a schema: the service refuses no value.
const free: readonly string[] = ['resource']

test.each(json)('the document refuses some value of each field of $path', route => {
  const { properties = {} } = requestSchema(route) as { properties?: Record<string, object> }
  for (const name of Object.keys(properties)) {
    if (free.includes(name)) continue
    const check = checkOf(route.path, `/properties/${name}`)
    expect([name, wrong.some(value => !check(value))]).toEqual([name, true])
  }
})

test('the document has the limit of a text of several lines', () => {
  const advance = routes.find(({ path }) => path === '/service/orders/advance') as Route
  expect(requestSchema(advance)).toMatchObject({
    properties: { remark: { type: ['string', 'null'], maxLength: 4000 } },
  })
})

test('a schema that the document cannot express throws', () => {
  expect(() => new Converter('input').of(v.date())).toThrow('no JSON Schema is known for a schema of type date')
})

test('a route without a chapter throws', () => {
  expect(routes.map(({ path }: Route) => operationAt(path, 'POST')?.tags ?? [])).not.toContain(undefined)
})

// Routes with refused requests as examples.
const refused: readonly string[] = [
  // There are no discount codes.
  '/service/campaigns/find',
  // The order of the examples has no invoice: its number would be used up.
  '/service/orders/getDocument',
  // No payment of the examples waits for a decision.
  '/service/payments/decide',
  // The demo merchant has packages, and each further one would change shipping costs.
  ...['/service/packages/add', '/service/packages/delete'],
]

test.each(written)('$method $path has examples, each valid by its own schema', ({ route, path, method }) => {
  const { requestBody, responses } = operationAt(path, method)
  const hasAnswer = route.envelope !== 'raw' && !refused.includes(path)
  for (const { content } of [requestBody, hasAnswer && responses[200]].filter(Boolean)) {
    const { schema, examples = {} } = content['application/json']
    const check = ajv.compile(inDocument(schema))
    const wrong = Object.values<Json>(examples).filter(({ value }) => !check(value))
    expect([Object.keys(examples).length > 0, wrong, check.errors]).toEqual([true, [], null])
  }
})

test('no example has a reference without its value', () => {
  // `{n}` is the format of a new merchant's orders.
  expect(JSON.stringify(document.paths).match(/"\{(?!n\})[\w.]+\??\}"/g)).toBeNull()
})
