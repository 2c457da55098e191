import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { type LocalFunction, PayloadTooLarge } from '../lambda/function.ts'
import { TookTooLong } from '../lambda/waiting-events.ts'
import { eventOf } from './event.ts'

/** A route of the gateway: `METHOD /path/{parameter}`, `METHOD /path/{rest+}` or `$default`, and its function. */
export type GatewayRoute = { key: string; target: LocalFunction }

/** A request to a page; `query` is without its question mark, repeated headers are joined by commas. */
export type PageRequest = {
  method: string
  path: string
  query: string
  headers: Record<string, string>
  body: string
  address: string
}

/** Pages beside the routes, below a path; they are served before the routes. */
export type Page = {
  prefix: string
  /** Which requests below the prefix are the page's; all of them unless it says so. */
  takes?(method: string, path: string): boolean
  serve(request: PageRequest): Promise<APIGatewayProxyStructuredResultV2>
}

export type Gateway = {
  port: number
  /** Replaces the routes of later requests. */
  setRoutes(routes: readonly GatewayRoute[]): void
  addPage(page: Page): void
  close(): Promise<void>
}

// The limits of an HTTP API: body, request line with headers, time for a request to arrive and for an integration.
const maxBodyBytes = 10 * 1024 * 1024
const maxHeaderBytes = 10_240
const maxRequestMs = 30_000
const maxIntegrationMs = 30_000

// How long a connection that ends may still be read from.
const lingerMs = 2000

type Match = { route: GatewayRoute; pathParameters: Record<string, string> }
type Matcher = (method: string, path: string) => Match | undefined

/** A path as HTTP APIs route it and hand it on: decoded, and cut where it holds what ends a path. */
const handedOn = (path: string): string => {
  try {
    return decodeURIComponent(path).replace(/[?#].*/s, '')
  } catch {
    return path
  }
}

const matcherOf = (route: GatewayRoute): Matcher => {
  const [method = '', path = ''] = route.key.split(' ')
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name)
  const literal = path.replace(/\{\w+(\+?)\}|[.+*?^$()|[\]\\]/g, (part, greedy) => {
    if (!part.startsWith('{')) return `\\${part}`
    return greedy ? '(.+)' : '([^/]+)'
  })
  const pattern = new RegExp(`^${literal}$`)
  return (called, calledPath) => {
    const found = (method === 'ANY' || method === called) && pattern.exec(calledPath)
    if (!found) return undefined
    return { route, pathParameters: Object.fromEntries(names.map((name, n) => [name, found[n + 1] ?? ''])) }
  }
}

class BodyTooLarge extends Error {}

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    // A body above the limit is read to its end: a caller that is still writing would not see the refusal.
    if (size <= maxBodyBytes) chunks.push(chunk)
  }
  if (size > maxBodyBytes) throw new BodyTooLarge()
  return Buffer.concat(chunks)
}

// The gateway's own refusals have its own form, not the contract's.
const sendMessage = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
}

const send = (response: ServerResponse, value: unknown, withBody: boolean): void => {
  const structured = typeof value === 'object' && value !== null && 'statusCode' in value
  const reply: APIGatewayProxyStructuredResultV2 = structured
    ? (value as APIGatewayProxyStructuredResultV2)
    : { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
  const body = Buffer.from(reply.body ?? '', reply.isBase64Encoded ? 'base64' : 'utf8')
  for (const [name, one] of Object.entries(reply.headers ?? {})) response.setHeader(name, String(one))
  if (reply.cookies) response.setHeader('set-cookie', reply.cookies)
  if (withBody || !response.hasHeader('content-length')) response.setHeader('content-length', body.length)
  response.writeHead(reply.statusCode ?? 200).end(withBody ? body : undefined)
}

const unreadStatus: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

// Node would cut the connection, often before the caller has read why. A caller that keeps its end open loses it.
const refuseUnread = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  const status = unreadStatus[error.code ?? ''] ?? '400 Bad Request'
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

const pageRequestOf = ({ method = '', url = '', headers, socket }: IncomingMessage): Omit<PageRequest, 'body'> => {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const joined = Object.entries(headers).map(([name, value = '']) => [name, String(value)])
  return { method, path, query, headers: Object.fromEntries(joined), address: socket.remoteAddress ?? '' }
}

const routerOf = (routes: readonly GatewayRoute[]): Matcher => {
  const fallback = routes.find(({ key }) => key === '$default')
  const matchers = routes.filter(route => route !== fallback).map(matcherOf)
  return (method, path) => {
    for (const matcher of matchers) {
      const match = matcher(method, path)
      if (match) return match
    }
    return fallback && { route: fallback, pathParameters: {} }
  }
}

/**
 * The HTTP API on this machine: routes by the template's routes, speaks payload format 2.0, keeps its limits. `requestMs`
 * is how long a request may take to arrive, in milliseconds.
 */
export const startGateway = async (
  port: number,
  routes: readonly GatewayRoute[],
  firstPages: readonly Page[] = [],
  requestMs = maxRequestMs,
): Promise<Gateway> => {
  const pages = [...firstPages]
  let router = routerOf(routes)
  // Whatever Host the caller names: links are made from it.
  let domainName = ''

  const handlerOf = (incoming: IncomingMessage): ((body: Buffer) => Promise<unknown>) | undefined => {
    const { method, path: asked, ...rest } = pageRequestOf(incoming)
    const page = pages.find(({ prefix, takes }) => asked.startsWith(prefix) && (takes?.(method, asked) ?? true))
    if (page) return body => page.serve({ method, path: asked, ...rest, body: body.toString() })
    const path = handedOn(asked)
    const match = router(method, path)
    if (!match) return undefined
    const { route, pathParameters } = match
    const arrived = { incoming, path, routeKey: route.key, pathParameters, domainName, requestId: randomUUID() }
    return body => route.target.invoke(eventOf({ ...arrived, body }), maxIntegrationMs)
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const handler = handlerOf(incoming)
    if (!handler) return sendMessage(response, 404, 'Not Found')
    try {
      const body = await bodyOf(incoming)
      send(response, await handler(body), incoming.method !== 'HEAD')
    } catch (error) {
      if (error instanceof BodyTooLarge || error instanceof PayloadTooLarge)
        return sendMessage(response, 413, 'Request Entity Too Large')
      if (error instanceof TookTooLong) {
        response.setHeader('retry-after', error.seconds)
        return sendMessage(response, 503, 'Service Unavailable')
      }
      sendMessage(response, 500, 'Internal Server Error')
    }
  }

  const options = {
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: 60_000,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: requestMs / 10,
  }
  const server: Server = createServer(options, (incoming, response) => {
    // The twin speaks no other protocol, but Node reads no second request from a connection that wanted another protocol.
    if (incoming.headers.upgrade !== undefined) response.setHeader('connection', 'close')
    serve(incoming, response).catch(() => response.destroy())
  })
  server.on('clientError', refuseUnread)
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, '127.0.0.1', listening))
  const ownPort = (server.address() as AddressInfo).port
  domainName = `localhost:${ownPort}`
  const setRoutes = (newRoutes: readonly GatewayRoute[]) => {
    router = routerOf(newRoutes)
  }
  const addPage = (page: Page) => {
    pages.push(page)
  }
  const close = async () => {
    const closed = new Promise(done => server.close(done))
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), lingerMs).unref()
    await closed
  }
  return { port: ownPort, setRoutes, addPage, close }
}
