import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge'
import { type BusEvent, eventSource } from '../contract/events.ts'
import { parseTimestamp } from '../time.ts'

/** What PutEvents takes at once; of bytes, 256 KB, ten of our events are a fiftieth. */
export const mostEntries = 10

// A run tells of many merchants and must not wait for a bus that cannot be reached.
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

/** Hands events to the bus, ten at most, and tells of each whether the bus took it. Throws when it cannot be reached. */
export const putEvents = async (events: readonly BusEvent[]): Promise<boolean[]> => {
  const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: events.map(entryOf) }))
  return events.map((_, n) => Boolean(Entries[n]?.EventId))
}
