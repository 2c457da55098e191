import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { RequestedAction } from '../iam/policy.ts'
import { SignatureRefused, verifySignature } from '../iam/signature.ts'
import { functionArn } from '../template/resolve.ts'
import { type LocalFunction, PayloadTooLarge } from './function.ts'

export type LambdaOptions = {
  /** The function of an ARN. */
  find(arn: string): LocalFunction | undefined
  secretOf(accessKeyId: string): string | undefined
  allows(accessKeyId: string, action: RequestedAction): boolean
  onRequest(accessKeyId: string, operation: string): void
}

/** Lambda's interface on this machine. */
export type LocalLambda = { url: string; close(): Promise<void> }

/** A refusal as Lambda words it. */
class LambdaRefusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

type Reply = { status: number; headers?: Record<string, string>; body?: string }

const action = 'lambda:InvokeFunction'
const invocationPath = /^\/2015-03-31\/functions\/([^/?]+)\/invocations$/
// Of an event that nobody waits for.
const maxEventBytes = 1_048_576

const eventIn = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString() || '{}')
  } catch {
    throw new LambdaRefusal(400, 'InvalidRequestContentException', 'Could not parse request body into json')
  }
}

/** Runs the function in its own time; how it went stands in the log. */
const start = (local: LocalFunction, event: unknown, bytes: number): Reply => {
  if (bytes > maxEventBytes)
    throw new LambdaRefusal(413, 'RequestTooLargeException', `${bytes} byte payload is too large for the Event type`)
  local.invoke(event).catch(() => {})
  return { status: 202 }
}

const run = async (local: LocalFunction, event: unknown): Promise<Reply> => {
  try {
    return { status: 200, body: JSON.stringify((await local.invoke(event)) ?? null) }
  } catch (error) {
    if (error instanceof PayloadTooLarge)
      throw new LambdaRefusal(413, 'RequestTooLargeException', 'Request must be smaller than 6291456 bytes')
    const errorMessage = (error as Error).message
    return { status: 200, headers: { 'x-amz-function-error': 'Unhandled' }, body: JSON.stringify({ errorMessage }) }
  }
}

const refusal = (error: unknown): Reply => {
  const known =
    error instanceof LambdaRefusal
      ? error
      : error instanceof SignatureRefused
        ? new LambdaRefusal(403, 'InvalidSignatureException', error.message)
        : new LambdaRefusal(500, 'ServiceException', String(error))
  const body = JSON.stringify({ Type: known.status < 500 ? 'User' : 'Service', Message: known.message })
  return { status: known.status, headers: { 'x-amzn-errortype': known.type }, body }
}

/**
 * Lambda's front door on this machine, for functions that start functions: checks the signature, then the caller's own
 * IAM policy, then invokes. What was started is not tried again when it fails: the template says so of each function
 * that is started like this.
 */
export const startLambda = async ({ find, secretOf, allows, onRequest }: LambdaOptions): Promise<LocalLambda> => {
  const serve = async (incoming: IncomingMessage): Promise<Reply> => {
    const body = await buffer(incoming)
    const { accessKeyId } = await verifySignature(incoming, { service: 'lambda', secretOf, now: Date.now(), body })
    const [, name = ''] = invocationPath.exec(incoming.url ?? '') ?? []
    if (incoming.method !== 'POST' || !name)
      throw new LambdaRefusal(501, 'NotImplemented', 'The twin does not implement this operation')
    const resource = functionArn(decodeURIComponent(name))
    if (!allows(accessKeyId, { action, resource, context: {} }))
      throw new LambdaRefusal(
        403,
        'AccessDeniedException',
        `User: ${accessKeyId} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
      )
    const local = find(resource)
    if (!local) throw new LambdaRefusal(404, 'ResourceNotFoundException', `Function not found: ${resource}`)
    const event = eventIn(body)
    onRequest(accessKeyId, action)
    const type = incoming.headers['x-amz-invocation-type'] ?? 'RequestResponse'
    if (type === 'Event') return start(local, event, body.length)
    if (type === 'RequestResponse') return run(local, event)
    throw new LambdaRefusal(501, 'NotImplemented', `The twin does not implement the invocation type ${type}`)
  }

  const send = (response: ServerResponse, { status, headers = {}, body = '' }: Reply): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }

  const server = createServer((incoming, response) => {
    serve(incoming)
      .catch(refusal)
      .then(reply => send(response, reply))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(0, '127.0.0.1', listening))
  const close = async () => {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
