import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { RequestedAction } from '../iam/policy.ts'
import { type DynamoRequest, requestedActions } from '../iam/required-permissions.ts'
import { sha256Hex, verifyHeaderSignature } from '../s3/sigv4.ts'

/** Who may pass the gate to DynamoDB, and what becomes of each request. */
export type ProxyOptions = {
  /** The address of the real DynamoDB behind the gate. */
  behind: URL
  secretOf(accessKeyId: string): string | undefined
  arnOf(table: string): string
  allow(principal: string, access: RequestedAction): boolean
  onRequest(principal: string, operation: string): void
  /** What GET /requests answers: how often each principal asked for each operation. */
  counts(): unknown
}

export type DynamoProxy = { url: string; close(): Promise<void> }

const refuse = (response: ServerResponse, type: string, message: string): void => {
  const body = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, Message: message, message })
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(body)
}

const denial = (principal: string, { action, resource }: RequestedAction): string =>
  `User: ${principal} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`

/** DynamoDB's front door on this machine: checks the signature, then the caller's own IAM policy, then passes on. */
export const startProxy = async (options: ProxyOptions): Promise<DynamoProxy> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })

  const pass = (incoming: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    const { host, ...headers } = incoming.headers
    const onward = httpRequest(options.behind, { method: 'POST', agent, headers }, answer => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    // As when the network to DynamoDB breaks: the caller cannot know whether its request took effect.
    onward.on('error', () => response.destroy())
    onward.end(body)
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.method === 'GET' && incoming.url === '/requests') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(options.counts()))
      return
    }
    const body = await buffer(incoming)
    const verdict = verifyHeaderSignature(incoming, {
      service: 'dynamodb',
      secretOf: options.secretOf,
      now: Date.now(),
      payloadHash: sha256Hex(body),
    })
    if (!verdict.ok) return refuse(response, 'InvalidSignatureException', verdict.message)
    const { principal } = verdict.signature
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? ''
    const accesses = requestedActions(operation, JSON.parse(body.toString()) as DynamoRequest, options.arnOf)
    const refused = accesses.find(access => !options.allow(principal, access))
    if (refused) return refuse(response, 'AccessDeniedException', denial(principal, refused))
    options.onRequest(principal, operation)
    pass(incoming, body, response)
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(error => refuse(response, 'SerializationException', String(error)))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(0, '127.0.0.1', listening))
  const close = async () => {
    agent.destroy()
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
