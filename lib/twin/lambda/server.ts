import { type Callers, Refusal, type Reply, type SignedRequest, startSignedService } from '../iam/signed-service.ts'
import type { LocalServer } from '../loopback.ts'
import { functionArn } from '../template/resolve.ts'
import { type LocalFunction, PayloadTooLarge } from './function.ts'

export type LambdaOptions = Callers & {
  find(arn: string): LocalFunction | undefined
}

const action = 'lambda:InvokeFunction'
const invocationPath = /^\/2015-03-31\/functions\/([^/?]+)\/invocations$/
// Limit of an asynchronous event.
const maxEventBytes = 1_048_576

const json = { 'content-type': 'application/json' }

const eventIn = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString() || '{}')
  } catch {
    throw new Refusal(400, 'InvalidRequestContentException', 'Could not parse request body into json')
  }
}

/** Runs the function asynchronously; the log shows how it went. */
const start = (local: LocalFunction, event: unknown, bytes: number): Reply => {
  if (bytes > maxEventBytes)
    throw new Refusal(413, 'RequestTooLargeException', `${bytes} byte payload is too large for the Event type`)
  local.invoke(event).catch(() => {})
  return { status: 202, headers: json }
}

const run = async (local: LocalFunction, event: unknown): Promise<Reply> => {
  try {
    return { status: 200, headers: json, body: JSON.stringify((await local.invoke(event)) ?? null) }
  } catch (error) {
    if (error instanceof PayloadTooLarge)
      throw new Refusal(413, 'RequestTooLargeException', 'Request must be smaller than 6291456 bytes')
    const errorMessage = (error as Error).message
    return {
      status: 200,
      headers: { ...json, 'x-amz-function-error': 'Unhandled' },
      body: JSON.stringify({ errorMessage }),
    }
  }
}

const refusalReply = ({ status, type, message }: Refusal): Reply => ({
  status,
  headers: { ...json, 'x-amzn-errortype': type },
  body: JSON.stringify({ Type: status < 500 ? 'User' : 'Service', Message: message }),
})

/**
 * Lambda's front door on this machine, for functions that start functions: checks the signature, then the caller's own
 * IAM policy, then invokes. What was started is not tried again when it fails, although the template may ask Lambda to:
 * nothing may depend on that.
 */
export const startLambda = ({ find, secretOf, allows, onRequest }: LambdaOptions): Promise<LocalServer> => {
  const serve = async ({ incoming, accessKeyId, body }: SignedRequest): Promise<Reply> => {
    const [, name = ''] = invocationPath.exec(incoming.url ?? '') ?? []
    if (incoming.method !== 'POST' || !name)
      throw new Refusal(501, 'NotImplemented', 'The twin does not implement this operation')
    const resource = functionArn(decodeURIComponent(name))
    if (!allows(accessKeyId, { action, resource, context: {} }))
      throw new Refusal(
        403,
        'AccessDeniedException',
        `User: ${accessKeyId} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
      )
    const local = find(resource)
    if (!local) throw new Refusal(404, 'ResourceNotFoundException', `Function not found: ${resource}`)
    const event = eventIn(body)
    onRequest(accessKeyId, action)
    const type = incoming.headers['x-amz-invocation-type'] ?? 'RequestResponse'
    if (type === 'Event') return start(local, event, body.length)
    if (type === 'RequestResponse') return run(local, event)
    throw new Refusal(501, 'NotImplemented', `The twin does not implement the invocation type ${type}`)
  }

  return startSignedService({ service: 'lambda', fault: 'ServiceException', secretOf, serve, worded: refusalReply })
}
