import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { APIGatewayProxyStructuredResultV2, Handler } from 'aws-lambda'
import { eventOf } from '../../lib/twin/gateway/event.ts'
import { type GatewayRoute, startGateway } from '../../lib/twin/gateway/gateway.ts'
import type { LocalFunction } from '../../lib/twin/lambda/function.ts'
import { sandboxCheckout } from '../../lib/twin/sandbox/checkout.ts'
import { patience } from '../../shared/clients/passwords.ts'
import { fileOf, type Route } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { unknown } from '../../shared/contract/routes/unknown.ts'
import { budget } from '../../shared/orders/numbering/numbers.ts'
import { choose, findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { tableClient } from '../../shared/platform/table/table.ts'
import { holdRights, withRights } from './used-rights.ts'

const root = join(import.meta.dirname, '../..')

// On Lambda each request has a process of its own. Here concurrent requests share a process, which on a busy machine
// takes longer.
const limitMs = 150_000
const context = { getRemainingTimeInMillis: () => limitMs }
for (const limit of [budget, patience]) limit.ms = limitMs
// The types lack a method of Node's own handler.
const handler = tableClient.config.requestHandler as unknown as {
  updateHttpClientConfig(name: string, ms: number): void
}
for (const name of ['connectionTimeout', 'requestTimeout']) handler.updateHttpClientConfig(name, limitMs)

/** Runs a handler; a bench measures it. */
export type Around = (route: Route, run: () => Promise<unknown>) => Promise<unknown>

const asIs: Around = (_, run) => run()

const invoke = (route: Route, event: unknown, around = asIs): Promise<unknown> =>
  withRights(route, async () => {
    const file = pathToFileURL(join(root, 'functions', `${fileOf(route)}.ts`)).href
    const { handler } = (await import(file)) as { handler: Handler }
    return around(route, async () => handler(event, context as never, () => {}))
  })

const targetOf = (route: Route, around: Around): GatewayRoute => ({
  key: `ANY ${route.path}`,
  target: { invoke: (event: unknown) => invoke(route, event, around) } as unknown as LocalFunction,
})

const byPath = new Map<string, Route>(routes.map(route => [route.path, route]))

/**
 * Answers a POST as the gateway would, but without HTTP, which is a good part of a short request's time. Undefined if the
 * path is not exactly that of a route.
 */
export const answerPost = async (path: string, headers: Record<string, string>, body: string) => {
  const route = byPath.get(path)
  if (!route) return undefined
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])
  const incoming = {
    ...{ method: 'POST', url: path, httpVersion: '1.1', socket: { remoteAddress: '127.0.0.1' } },
    ...{ headers: {}, headersDistinct: Object.fromEntries(named) },
  }
  const arrived = {
    ...{ requestId: randomUUID(), domainName: 'localhost', path },
    ...{ routeKey: `ANY ${path}`, pathParameters: {} },
  }
  const event = eventOf({ ...arrived, incoming: incoming as never, body: Buffer.from(body) })
  const reply = (await invoke(route, event)) as APIGatewayProxyStructuredResultV2
  const { statusCode = 200, headers: given = {}, body: text = '' } = reply
  return { status: statusCode, headers: new Headers(given as Record<string, string>), text }
}

/**
 * The functions behind the gateway, all in this process and run from their sources: no bundles, and on the
 * table the rights that each route declares. What a test of the routes needs, started in no time; for its table see
 * table.ts.
 */
export const serveInProcess = async (around = asIs) => {
  holdRights()
  // Its events would come from outside: the webhook's tests send them themselves.
  const page = sandboxCheckout({ find: findSandboxPayment, choose, sendEvent: () => {} })
  const targets = [...routes.map(route => targetOf(route, around)), { ...targetOf(unknown, around), key: '$default' }]
  const gateway = await startGateway(0, targets, [page])
  const url = `http://127.0.0.1:${gateway.port}`
  Object.assign(process.env, { BASE_URL: url, SANDBOX_URL: url })
  return { url, close: gateway.close }
}
