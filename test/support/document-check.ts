import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../shared/reference/document.ts'

/** A request: the method, the path with its query string, and the parsed body of a POST. */
type Sent = { method: string; path: string; body?: unknown }

type Answered = { status: number; headers: Headers; json?: unknown }

type Operation = {
  parameters?: readonly Parameter[]
  requestBody?: { content: { 'application/json': { schema: object } } }
  responses: Readonly<Record<string, Answers | { $ref: string }>>
}
type Answers = { $ref?: undefined; content?: Readonly<Record<string, { schema?: object }>> }
type Parameter = { name: string; in: string; required?: boolean; schema?: object; content?: Content }
type Content = { 'application/json': { schema: object } }
type Document = {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { responses: Readonly<Record<string, Answers>> }
}

type Checks = {
  document: Document
  templates: readonly { path: string; pattern: RegExp }[]
  ajv: Ajv2020
  compiled: Map<string, ValidateFunction>
}

// Test files load modules again, but the document is the same for a whole run: compiled once a process.
const holder = globalThis as { documentChecks?: Checks }

/** A document as the service takes flags: it calls them booleans, and they may also be 0 or 1, and these as text. */
export const withFlags = (document: object): Document =>
  JSON.parse(JSON.stringify(document), (_, value) => {
    const types = [value?.type].flat()
    if (!types.includes('boolean') || types.some(type => type !== 'boolean' && type !== 'null')) return value
    return { enum: [true, false, 0, 1, '0', '1', ...(types.includes('null') ? [null] : [])] }
  })

const checks = (): Checks => {
  if (holder.documentChecks) return holder.documentChecks
  const document = withFlags(openApiDocument({ baseUrl: 'https://service.test' }))
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
  ajv.addSchema(document, 'document')
  const paths = Object.keys(document.paths)
  const templates = paths.map(path => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  holder.documentChecks = { document, templates, ajv, compiled: new Map() }
  return holder.documentChecks
}

const pointer = (...keys: readonly (string | number)[]): string =>
  keys.map(key => `/${encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** Returns the fault of a value by the schema at a pointer of the document, if any. */
const wrongWith = (value: unknown, ...place: readonly (string | number)[]): string | undefined => {
  const { ajv, compiled } = checks()
  const at = `document#${pointer(...place)}`
  const validate = compiled.get(at) ?? ajv.compile({ $ref: at })
  compiled.set(at, validate)
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'it' })
}

/** The operation of a request; undefined for what the document does not describe. */
const operationOf = ({ method, path }: Sent): { place: [string, string, string]; operation: Operation } | undefined => {
  const { document, templates } = checks()
  const [pathname = ''] = path.split('?')
  const template = templates.find(({ pattern }) => pattern.test(pathname))?.path
  const key = method === 'HEAD' ? 'get' : method.toLowerCase()
  const operation = template === undefined ? undefined : document.paths[template]?.[key]
  return operation && { place: ['paths', template ?? '', key], operation }
}

const json = 'application/json'

/** Returns the document's response for a status, and its pointer: many routes share refusals. */
const responseTo = (
  { place, operation }: NonNullable<ReturnType<typeof operationOf>>,
  status: number,
): { at: readonly (string | number)[]; response: Answers | undefined } => {
  const response = operation.responses[status]
  if (response?.$ref === undefined) return { at: [...place, 'responses', status], response }
  const name = response.$ref.split('/').at(-1) ?? ''
  return { at: ['components', 'responses', name], response: checks().document.components.responses[name] }
}

/** Returns the fault of an answer by the document as a sentence, if any. */
const answerFault = (sent: Sent, { status, headers, json: body }: Answered): string | undefined => {
  const found = operationOf(sent)
  if (!found) return undefined
  const { at, response } = responseTo(found, status)
  if (!response) return `the document has no ${status} for ${sent.method} ${sent.path}`
  const [media] = (headers.get('content-type') ?? '').split(';')
  const { content } = response
  if (!content) return undefined
  const declared = Object.keys(content).some(
    one => one === media || one === '*/*' || (one.endsWith('/*') && media?.startsWith(one.slice(0, -1))),
  )
  if (!declared) return `the document has no ${media} for ${status} of ${sent.path}`
  if (media !== json || !content[json]?.schema || sent.method === 'HEAD') return undefined
  const wrong = wrongWith(body, ...at, 'content', json, 'schema')
  return wrong && `${sent.path} ${status} is not as the document says: ${wrong}`
}

// An object or a list travels as JSON; a text that only begins like one is a text.
const jsonIn = (text: string): unknown => {
  try {
    return /^[[{]/.test(text) ? JSON.parse(text) : text
  } catch {
    return text
  }
}

/** A request with its texts as the service reads them, since the document limits those; a password is left as sent. */
const asRead = (sent: unknown): unknown =>
  JSON.parse(JSON.stringify(sent), (name, value) =>
    typeof value === 'string' && name !== 'password' ? value.replace(/\r\n?/g, '\n').normalize('NFC').trim() : value,
  )

const parameterFault = (
  place: readonly string[],
  n: number,
  parameter: Parameter,
  text: string,
): string | undefined => {
  const { content, name } = parameter
  if (!content) return wrongWith(asRead(text), ...place, 'parameters', n, 'schema')
  const value = asRead(jsonIn(text))
  const wrong = wrongWith(value, ...place, 'parameters', n, 'content', json, 'schema')
  return wrong && `${name}: ${wrong}`
}

/** Returns the fault of an accepted request by the document, if any. */
const requestFault = (sent: Sent): string | undefined => {
  const found = operationOf(sent)
  if (!found) return undefined
  const { place, operation } = found
  const [, query = ''] = sent.path.split('?')
  const said = (wrong: string | undefined) =>
    wrong && `${sent.method} ${sent.path} was accepted, but not as the document says: ${wrong}`
  if (operation.requestBody) {
    const { body } = sent
    // PHP writes [] for an empty object.
    if (body === undefined || (Array.isArray(body) && body.length === 0)) return undefined
    return said(wrongWith(asRead(body), ...place, 'requestBody', 'content', json, 'schema'))
  }
  const given = new URLSearchParams(query)
  for (const [n, parameter] of (operation.parameters ?? []).entries()) {
    const text = parameter.in === 'query' ? given.get(parameter.name) : null
    if (text === null) continue
    const wrong = parameterFault(place, n, parameter, text)
    if (wrong) return said(wrong)
  }
  return undefined
}

/**
 * Checks an answer, and an accepted request, against the OpenAPI document: status, media type and body must be as
 * documented.
 */
export const checkDocument = (sent: Sent, answered: Answered): void => {
  const fault = answerFault(sent, answered) ?? (answered.status < 300 ? requestFault(sent) : undefined)
  if (fault) throw new Error(fault)
}
