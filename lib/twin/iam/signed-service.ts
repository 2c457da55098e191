import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type LocalServer, listenOnLoopback } from '../loopback.ts'
import type { RequestedAction } from './policy.ts'
import { SignatureRefused, verifySignature } from './signature.ts'

/** The callers of a service: their secrets, their rights, and the count of their requests. */
export type Callers = {
  secretOf(accessKeyId: string): string | undefined
  allows(accessKeyId: string, action: RequestedAction): boolean
  onRequest(accessKeyId: string, operation: string): void
}

export class Refusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

export type Reply = { status: number; headers?: Record<string, string>; body?: string }

export type SignedRequest = { incoming: IncomingMessage; accessKeyId: string; body: Buffer }

export type SignedServiceOptions = Pick<Callers, 'secretOf'> & {
  service: 'events' | 'lambda' | 'ssm'
  /** The service's name for a fault of its own. */
  fault: string
  serve(request: SignedRequest): Promise<Reply>
  worded(refusal: Refusal): Reply
}

/** One of AWS's services on this machine: each request's signature is checked before it is served. */
export const startSignedService = ({
  service,
  fault,
  secretOf,
  serve,
  worded,
}: SignedServiceOptions): Promise<LocalServer> => {
  const refusalOf = (error: unknown): Refusal => {
    if (error instanceof Refusal) return error
    if (error instanceof SignatureRefused) return new Refusal(403, 'InvalidSignatureException', error.message)
    return new Refusal(500, fault, String(error))
  }

  const answer = async (incoming: IncomingMessage): Promise<Reply> => {
    const body = await buffer(incoming)
    const { accessKeyId } = await verifySignature(incoming, { service, secretOf, now: Date.now(), body })
    return serve({ incoming, accessKeyId, body })
  }

  const server = createServer((incoming, response) => {
    answer(incoming)
      .catch(error => worded(refusalOf(error)))
      .then(({ status, headers, body = '' }) => response.writeHead(status, headers).end(body))
  })
  return listenOnLoopback(server)
}
