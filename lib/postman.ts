import { STATUS_CODES } from 'node:http'
import { errors } from '../shared/contract/errors.ts'
import type { JsonSchema } from '../shared/contract/schema/wire.ts'

type Named<T> = Readonly<Record<string, T>>
type Reference = { $ref?: string }
type Example = Reference & { value?: unknown }
type Content = Named<{ examples?: Named<Example> }>
type Parameter = { name: string; in: 'path' | 'query' | 'header'; description: string; example?: unknown }
type Response = Reference & { description?: string; content?: Content }
type Scheme = { type: string; name?: string }

/** The part of an operation, as our documents have them, that a request shows. */
type Operation = {
  summary: string
  description: string
  tags: readonly [string]
  security: readonly Named<unknown>[]
  parameters?: readonly Parameter[]
  requestBody?: { content: Content }
  responses: Named<Response>
}

type Document = {
  info: { title: string; description: string }
  servers: readonly [{ url: string }]
  tags: readonly { name: string; description?: string }[]
  paths: Named<Named<Operation>>
  components: Named<Named<object>> & { securitySchemes: Named<Scheme> }
}

const isJson = { raw: { language: 'json' } }

/**
 * Returns a Postman collection (v2.1) of one of our OpenAPI documents: a folder for each tag, requests with the document's
 * examples. Bruno and Insomnia import it as well.
 */
export const collectionOf = (openApi: JsonSchema): object => {
  const document = openApi as Document

  const resolveReference = <T extends Reference>(object: T): T => {
    const [, , kind = '', name = ''] = object.$ref?.split('/') ?? []
    return object.$ref ? ((document.components[kind]?.[name] ?? {}) as T) : object
  }

  /** The first example of a body, as indented JSON. */
  const bodyIn = (content: Content = {}): string | undefined => {
    const [example] = Object.values(content['application/json']?.examples ?? {})
    return example && JSON.stringify(resolveReference(example).value, null, 2)
  }

  /** The client's token is a header of its own, next to the session's. */
  const tokensOf = ([first = {}]: Operation['security']) => {
    const schemes = Object.keys(first).map(name => document.components.securitySchemes[name])
    return {
      auth: schemes.some(scheme => scheme?.type === 'http')
        ? { type: 'bearer', bearer: [{ key: 'token', value: '{{bearerToken}}', type: 'string' }] }
        : { type: 'noauth' },
      header: schemes.flatMap(scheme => (scheme?.name ? [{ key: scheme.name, value: '{{clientToken}}' }] : [])),
    }
  }

  const requestOf = (path: string, method: string, { description, ...operation }: Operation) => {
    const { auth, header } = tokensOf(operation.security)
    const valuesIn = (place: Parameter['in']) =>
      (operation.parameters ?? [])
        .filter(parameter => parameter.in === place)
        .map(({ name, example = '', ...one }) => ({
          ...{ key: name, value: String(example), description: one.description },
          ...(place !== 'path' && example === '' && { disabled: true }),
        }))
    const parts = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
    const raw = bodyIn(operation.requestBody?.content)
    return {
      method: method.toUpperCase(),
      description,
      auth,
      header: [...(raw ? [{ key: 'Content-Type', value: 'application/json' }] : []), ...header, ...valuesIn('header')],
      url: {
        raw: `{{baseUrl}}/${parts}`,
        host: ['{{baseUrl}}'],
        path: parts.split('/'),
        query: valuesIn('query'),
        variable: valuesIn('path'),
      },
      ...(raw && { body: { mode: 'raw', raw, options: isJson } }),
    }
  }

  const itemOf = (path: string, method: string, operation: Operation) => {
    const originalRequest = requestOf(path, method, operation)
    const response = Object.entries(operation.responses).map(([status, one]) => {
      const { description, content } = resolveReference(one)
      const body = bodyIn(content)
      return {
        ...{ name: description, originalRequest, code: Number(status), status: STATUS_CODES[status] },
        ...(body && { header: [{ key: 'Content-Type', value: 'application/json' }], body }),
        ...(body && { _postman_previewlanguage: 'json' }),
      }
    })
    return { name: operation.summary, request: originalRequest, response }
  }

  const items = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      item: itemOf(path, method, operation),
    })),
  )
  const { title, description } = document.info
  return {
    info: {
      ...{ name: title, description },
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: document.servers[0].url },
      { key: 'bearerToken', value: '' },
      { key: 'clientToken', value: '' },
    ],
    // The tags of error words would be empty folders; each request describes its own errors.
    item: document.tags
      .filter(({ name }) => !(name in errors))
      .map(({ name, description }) => {
        return { name, description, item: items.filter(({ tag }) => tag === name).map(({ item }) => item) }
      }),
  }
}
