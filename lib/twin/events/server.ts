import { randomUUID } from 'node:crypto'
import { type Callers, Refusal, type Reply, type SignedRequest, startSignedService } from '../iam/signed-service.ts'
import type { LocalServer } from '../loopback.ts'
import { busArn } from '../template/resolve.ts'
import type { StoredEvent } from './store.ts'

export type EventBridgeOptions = Callers & {
  /** Keeps what a bus was given. */
  append(events: readonly StoredEvent[]): Promise<void>
}

type Entry = { EventBusName?: string; Source?: string; DetailType?: string; Detail?: string; Time?: number }

const action = 'events:PutEvents'
const mostEntries = 10
const mostBytes = 262_144

const parsed = (body: Buffer): { Entries?: Entry[] } => {
  try {
    return JSON.parse(body.toString())
  } catch (error) {
    throw new Refusal(400, 'SerializationException', (error as Error).message)
  }
}

const entriesIn = (body: Buffer): Entry[] => {
  const { Entries } = parsed(body)
  if (!Array.isArray(Entries) || Entries.length < 1 || Entries.length > mostEntries)
    throw new Refusal(400, 'ValidationException', `Entries must have 1 to ${mostEntries} members`)
  if (body.length > mostBytes)
    throw new Refusal(400, 'ValidationException', 'Total size of the entries in the request is over the limit')
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

const reply = (status: number, body: object): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify(body),
})

/**
 * EventBridge's front door on this machine: checks the signature, then the caller's own IAM policy, and keeps the events.
 * Rules, targets and archives are AWS's alone.
 */
export const startEventBridge = ({ secretOf, allows, onRequest, append }: EventBridgeOptions): Promise<LocalServer> => {
  const serve = async ({ incoming, accessKeyId, body }: SignedRequest): Promise<Reply> => {
    if (incoming.headers['x-amz-target'] !== 'AWSEvents.PutEvents')
      throw new Refusal(501, 'NotImplemented', 'The twin does not implement this operation')
    const entries = entriesIn(body)
    for (const { EventBusName = 'default' } of entries) {
      const resource = busArn(EventBusName)
      if (!allows(accessKeyId, { action, resource, context: {} }))
        throw new Refusal(
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
    return reply(200, { FailedEntryCount: events.filter(event => !event).length, Entries })
  }
  const worded = ({ status, type, message }: Refusal): Reply => reply(status, { __type: type, message })
  return startSignedService({ service: 'events', fault: 'InternalException', secretOf, serve, worded })
}
