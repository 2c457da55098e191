import { randomUUID } from 'node:crypto'
import { type JsonRequest, startJsonService } from '../iam/json-service.ts'
import { type Callers, Refusal } from '../iam/signed-service.ts'
import type { LocalServer } from '../loopback.ts'
import { busArn } from '../template/resolve.ts'
import type { StoredEvent } from './store.ts'

export type EventBridgeOptions = Callers & {
  /** Keeps what a bus was given. */
  append(events: readonly StoredEvent[]): Promise<void>
}

type Entry = { EventBusName?: string; Source?: string; DetailType?: string; Detail?: string; Time?: number }

const maxEntries = 10
const maxBytes = 262_144

/** An entry as its rules would see it; undefined for an entry that EventBridge does not take. */
const eventOf = ({ Source, DetailType, Detail = '', Time }: Entry): StoredEvent | undefined => {
  if (!Source || !DetailType) return undefined
  try {
    const time = new Date(Time === undefined ? Date.now() : Time * 1000).toISOString()
    return { id: randomUUID(), time, source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) }
  } catch {
    return undefined
  }
}

/**
 * EventBridge's front door on this machine: checks the signature, then the caller's own IAM policy, and keeps the events.
 * Rules, targets and archives are AWS's alone.
 */
export const startEventBridge = ({ append, ...callers }: EventBridgeOptions): Promise<LocalServer> => {
  const PutEvents = async ({ input, bytes, authorize }: JsonRequest<{ Entries?: Entry[] }>): Promise<object> => {
    const { Entries: entries } = input
    if (!Array.isArray(entries) || entries.length < 1 || entries.length > maxEntries)
      throw new Refusal(400, 'ValidationException', `Entries must have 1 to ${maxEntries} members`)
    if (bytes > maxBytes)
      throw new Refusal(400, 'ValidationException', 'Total size of the entries in the request is over the limit')
    for (const { EventBusName = 'default' } of entries) authorize(busArn(EventBusName))
    const events = entries.map(eventOf)
    await append(events.filter(event => event !== undefined))
    const Entries = events.map(event =>
      event ? { EventId: event.id } : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' },
    )
    return { FailedEntryCount: events.filter(event => !event).length, Entries }
  }
  return startJsonService({
    service: 'events',
    target: 'AWSEvents',
    fault: 'InternalException',
    operations: { PutEvents },
    ...callers,
  })
}
