import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { RequestedAction } from '../iam/policy.ts'
import { SignatureRefused, verifySignature } from '../iam/signature.ts'
import { busArn } from '../template/resolve.ts'
import type { StoredEvent } from './store.ts'

export type EventBridgeOptions = {
  secretOf(accessKeyId: string): string | undefined
  allows(accessKeyId: string, action: RequestedAction): boolean
  onRequest(accessKeyId: string, operation: string): void
  /** Keeps what a bus was given. */
  append(events: readonly StoredEvent[]): Promise<void>
}

/** EventBridge's interface on this machine. */
export type LocalEventBridge = { url: string; close(): Promise<void> }

/** A refusal as EventBridge words it. */
class EventsRefusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

type Entry = { EventBusName?: string; Source?: string; DetailType?: string; Detail?: string; Time?: number }

const action = 'events:PutEvents'
const mostEntries = 10
const mostBytes = 262_144

const entriesIn = (body: Buffer): Entry[] => {
  const { Entries } = JSON.parse(body.toString()) as { Entries?: Entry[] }
  if (!Array.isArray(Entries) || Entries.length < 1 || Entries.length > mostEntries)
    throw new EventsRefusal(400, 'ValidationException', `Entries must have 1 to ${mostEntries} members`)
  if (body.length > mostBytes)
    throw new EventsRefusal(400, 'ValidationException', 'Total size of the entries in the request is over the limit')
  return Entries
}

/** An entry as its rules would see it; undefined for one that EventBridge does not take. */
const eventOf = ({ Source, DetailType, Detail = '', Time }: Entry): StoredEvent | undefined => {
  if (!Source || !DetailType) return undefined
  try {
    const time = new Date(Time === undefined ? Date.now() : Time * 1000).toISOString()
    return { id: randomUUID(), time, source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) }
  } catch {
    return undefined
  }
}

const refusal = (error: unknown): EventsRefusal => {
  if (error instanceof EventsRefusal) return error
  if (error instanceof SignatureRefused) return new EventsRefusal(403, 'InvalidSignatureException', error.message)
  if (error instanceof SyntaxError) return new EventsRefusal(400, 'SerializationException', error.message)
  return new EventsRefusal(500, 'InternalException', String(error))
}

/**
 * EventBridge's front door on this machine: checks the signature, then the caller's own IAM policy, and keeps the events.
 * Rules, targets and archives are AWS's alone.
 */
export const startEventBridge = async (options: EventBridgeOptions): Promise<LocalEventBridge> => {
  const { secretOf, allows, onRequest, append } = options

  const serve = async (incoming: IncomingMessage): Promise<object> => {
    const body = await buffer(incoming)
    const { accessKeyId } = await verifySignature(incoming, { service: 'events', secretOf, now: Date.now(), body })
    if (incoming.headers['x-amz-target'] !== 'AWSEvents.PutEvents')
      throw new EventsRefusal(501, 'NotImplemented', 'The twin does not implement this operation')
    const entries = entriesIn(body)
    for (const { EventBusName = 'default' } of entries) {
      const resource = busArn(EventBusName)
      if (!allows(accessKeyId, { action, resource, context: {} }))
        throw new EventsRefusal(
          400,
          'AccessDeniedException',
          `User: ${accessKeyId} is not authorized to perform: ${action} on resource: ${resource}`,
        )
    }
    onRequest(accessKeyId, action)
    const events = entries.map(eventOf)
    await append(events.filter(event => event !== undefined))
    const Entries = events.map(event =>
      event ? { EventId: event.id } : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' },
    )
    return { FailedEntryCount: events.filter(event => !event).length, Entries }
  }

  const server = createServer((incoming, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
    serve(incoming).then(
      body => send(200, body),
      error => {
        const { status, type, message } = refusal(error)
        send(status, { __type: type, message })
      },
    )
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(0, '127.0.0.1', listening))
  const close = async () => {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
