import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { RequestedAction } from '../iam/policy.ts'
import { type DynamoRequest, requestedActions } from '../iam/required-permissions.ts'
import { SignatureRefused, verifySignature } from '../iam/signature.ts'
import type { Callers } from '../iam/signed-service.ts'
import { type LocalServer, listenOnLoopback } from '../loopback.ts'

export type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer }

export type Ask = (operation: string, request: object) => Promise<Reply>

/** Answers a request in DynamoDB's place. */
export type Answer = (operation: string, request: object, ask: Ask) => Promise<Reply>

export type ProxyOptions = Callers & {
  upstream: URL
  arnOf(table: string): string
  /** Returned by GET /requests: the number of requests by principal and operation. */
  counts(): unknown
  /** Answers a request itself, or undefined: then the request is passed on. */
  answer?: Answer | undefined
  /** IAM sees the leading keys of all items of a transaction with each of its actions. */
  together?: boolean
}

class DynamoRefusal extends Error {
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

const denial = (accessKeyId: string, { action, resource }: RequestedAction): DynamoRefusal =>
  new DynamoRefusal(
    'AccessDeniedException',
    `User: ${accessKeyId} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
  )

const refuse = (response: ServerResponse, error: unknown): void => {
  const type =
    error instanceof DynamoRefusal
      ? error.type
      : error instanceof SignatureRefused
        ? 'InvalidSignatureException'
        : 'SerializationException'
  const message = error instanceof Error ? error.message : String(error)
  const body = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, Message: message, message })
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(body)
}

/** DynamoDB's front door on this machine: checks the signature, then the caller's own IAM policy, then passes on. */
export const startProxy = async (options: ProxyOptions): Promise<LocalServer> => {
  const { upstream, secretOf, arnOf, allows, onRequest, counts, answer } = options
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })

  const pass = (incoming: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    const { host, ...headers } = incoming.headers
    const onward = httpRequest(upstream, { method: 'POST', agent, headers }, reply => {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    })
    // As when the network to DynamoDB breaks: the caller cannot know whether its request took effect.
    onward.on('error', () => response.destroy())
    onward.end(body)
  }

  const ask = (incoming: IncomingMessage, operation: string, body: Buffer): Promise<Reply> => {
    const { host, 'content-length': _, ...headers } = incoming.headers
    const target = String(headers['x-amz-target']).replace(/[^.]+$/, operation)
    return new Promise((answered, failed) => {
      const onward = httpRequest(
        upstream,
        { method: 'POST', agent, headers: { ...headers, 'x-amz-target': target } },
        reply => {
          const { statusCode: status = 500, headers: given } = reply
          buffer(reply).then(bytes => answered({ status, headers: given, body: bytes }), failed)
        },
      )
      onward.on('error', failed).end(body)
    })
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.method === 'GET' && incoming.url === '/requests') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(counts()))
      return
    }
    const body = await buffer(incoming)
    const { accessKeyId } = await verifySignature(incoming, { service: 'dynamodb', secretOf, now: Date.now(), body })
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? ''
    const request = JSON.parse(body.toString()) as DynamoRequest
    const actions = requestedActions(operation, request, arnOf, options.together)
    const denied = actions.find(action => !allows(accessKeyId, action))
    if (denied) throw denial(accessKeyId, denied)
    onRequest(accessKeyId, operation)
    if (!answer) return pass(incoming, body, response)
    const askDatabase: Ask = (name, asked) => ask(incoming, name, Buffer.from(JSON.stringify(asked)))
    const reply = await answer(operation, request, askDatabase).catch(() => undefined)
    if (reply) response.writeHead(reply.status, reply.headers).end(reply.body)
    else response.destroy()
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(error => refuse(response, error))
  })
  const { url, close: closeServer } = await listenOnLoopback(server)
  const close = async () => {
    agent.destroy()
    await closeServer()
  }
  return { url, close }
}
