import type { Context } from 'aws-lambda'
import * as v from 'valibot'
import { route } from '../../shared/contract/route.ts'
import { Id, text } from '../../shared/contract/schema/wire.ts'
import type { Reply } from '../../shared/http/middleware.ts'
import { refuseWith, serve } from '../../shared/http/serve.ts'
import { serveMerchant } from '../../shared/http/serve-merchant.ts'

export { refuseWith, serve, serveMerchant }

/** A request, as far as it matters here; a POST unless it says otherwise. */
export type Sent = {
  method?: string
  body?: string
  isBase64Encoded?: boolean
  headers?: Record<string, string | undefined>
  query?: string
}

const eventOf = ({ method = 'POST', body, isBase64Encoded = false, headers = {}, query = '' }: Sent) => ({
  headers,
  rawQueryString: query,
  requestContext: { requestId: 'g1', domainName: 'api.example', http: { method, sourceIp: '192.0.2.1' } },
  body,
  isBase64Encoded,
})

/** Calls a function as Lambda does, with that many milliseconds left. */
export const call = async (handler: unknown, sent: Sent = {}, left = 10_000): Promise<Reply> => {
  const context = { getRemainingTimeInMillis: () => left } as Context
  return (await (handler as ReturnType<typeof serve>)(eventOf(sent) as never, context)) as Reply
}

/** The JSON of an answer. */
export const json = (reply: Reply): Record<string, unknown> => JSON.parse(reply.body ?? '')

const response = v.strictObject({ id: v.number(), name: v.string() })
const body = v.object({ id: Id, name: v.nullish(text(), 'toy') })

/** Sketches of a route that takes an id and a name and answers them; one by POST only, one by GET as well. */
export const post = { path: '/toy', body, response, summary: 'A toy.' } as const
export const both = { ...post, methods: ['GET', 'POST'] } as const

const publicRoute = route({ ...both, level: 'public' })
export const openRoute = route({ ...post, level: 'open' })
export const serviceRoute = route({ ...post, level: 'service' })

/** Answers what it was asked. */
export const echo = async ({ body: { id, name } }: { body: { id: number; name: string } }) => ({ id, name })

export const publicToy = serve(publicRoute, echo)
export const openToy = serve(openRoute, echo)

/** A function whose handler fails. */
export const throwing = (error: unknown) => serve(openRoute, () => Promise.reject(error))

/** A request that fits. */
export const good: Sent = { body: '{"id":"7"}', headers: { 'content-type': 'application/json' } }
