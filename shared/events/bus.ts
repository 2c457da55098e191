import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge'
import { type BusEvent, eventSource } from '../contract/events.ts'
import { parseTimestamp } from '../values/time.ts'

/** The limit of PutEvents. Its other limit, 256 KB, is fifty times the size of ten of our events. */
export const maxEntries = 10

// A run publishes for many merchants and must not wait for a bus that cannot be reached.
const client = new EventBridgeClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 2000, requestTimeout: 5000, throwOnRequestTimeout: true },
})

const entryOf = ({ type, detail }: BusEvent): PutEventsRequestEntry => ({
  EventBusName: process.env.EVENT_BUS_NAME,
  Source: eventSource,
  DetailType: type,
  Detail: JSON.stringify(detail),
  Time: new Date(parseTimestamp(detail.time)),
})

// Three tries and the pauses between them. The client's own limits end where an answer begins.
const maxMs = 18_000

/**
 * Sends up to ten events to the bus; returns for each if the bus accepted it. Throws if the bus cannot be reached, or has
 * not answered after `ms`.
 */
export const putEvents = async (events: readonly BusEvent[], ms = maxMs): Promise<boolean[]> => {
  const command = new PutEventsCommand({ Entries: events.map(entryOf) })
  const { Entries = [] } = await client.send(command, { abortSignal: AbortSignal.timeout(ms) })
  return events.map((_, n) => Boolean(Entries[n]?.EventId))
}
