import type { LocalServer } from '../loopback.ts'
import { type Callers, Refusal, type Reply, type SignedRequest, startSignedService } from './signed-service.ts'

/** A request of an operation: its input, its size in bytes, and a check that its caller may do it to a resource. */
export type JsonRequest<Input> = { input: Input; bytes: number; authorize(resource: string): void }

// The input of an operation is what its SDK sends; the operation checks what it uses.
// biome-ignore lint/suspicious/noExplicitAny: each operation names the type of its own input
type Operation = (request: JsonRequest<any>) => Promise<object>

export type JsonServiceOptions = Callers & {
  service: 'events' | 'ssm'
  /** The prefix of the operation in the header `x-amz-target`. */
  target: string
  fault: string
  operations: Record<string, Operation>
}

const parseBody = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    // The parser's own message would repeat a part of the body.
    throw new Refusal(400, 'SerializationException', 'The body of the request is no JSON')
  }
}

const reply = (status: number, body: object): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify(body),
})

const refusalReply = ({ status, type, message }: Refusal): Reply => reply(status, { __type: type, message })

/** A service on this machine that speaks AWS's JSON protocol: checks the signature, then the caller's own IAM policy. */
export const startJsonService = ({
  service,
  target,
  fault,
  operations,
  secretOf,
  allows,
  onRequest,
}: JsonServiceOptions): Promise<LocalServer> => {
  const serve = async ({ incoming, accessKeyId, body }: SignedRequest): Promise<Reply> => {
    const found = Object.entries(operations).find(([name]) => incoming.headers['x-amz-target'] === `${target}.${name}`)
    if (!found) throw new Refusal(501, 'NotImplemented', 'The twin does not implement this operation')
    const [name, operation] = found
    const action = `${service}:${name}`
    const authorize = (resource: string): void => {
      if (allows(accessKeyId, { action, resource, context: {} })) return
      const message = `User: ${accessKeyId} is not authorized to perform: ${action} on resource: ${resource}`
      throw new Refusal(400, 'AccessDeniedException', message)
    }
    const answer = await operation({ input: parseBody(body), bytes: body.length, authorize })
    onRequest(accessKeyId, action)
    return reply(200, answer)
  }
  return startSignedService({ service, fault, secretOf, serve, worded: refusalReply })
}
