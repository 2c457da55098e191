import { setTimeout as pause } from 'node:timers/promises'
import { type BusEvent, eventSource } from '../contract/events.ts'
import { parseTimestamp, unixSeconds } from '../time.ts'
import { signedHeaders } from './signature.ts'

/** What PutEvents takes at once; of bytes, 256 KB, ten of our events are a fiftieth. */
export const mostEntries = 10

const tries = 3
const waitMs = 200
const timeoutMs = 5000

const entryOf = ({ type, detail }: BusEvent): object => ({
  EventBusName: process.env.EVENT_BUS_NAME,
  Source: eventSource,
  DetailType: type,
  Detail: JSON.stringify(detail),
  Time: unixSeconds(parseTimestamp(detail.time)),
})

const send = async (body: string): Promise<{ Entries: { EventId?: string }[] }> => {
  const { AWS_REGION: region = '', AWS_ENDPOINT_URL_EVENTBRIDGE } = process.env
  const url = new URL(AWS_ENDPOINT_URL_EVENTBRIDGE ?? `https://events.${region}.amazonaws.com`)
  const request = { service: 'events', region, host: url.host, target: 'AWSEvents.PutEvents', body, now: Date.now() }
  const headers = signedHeaders(request)
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
  const text = await response.text()
  if (!response.ok) throw new Error(`PutEvents answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Hands events to the bus, ten at most, and tells of each whether the bus took it. Throws when it cannot be reached. */
export const putEvents = async (events: readonly BusEvent[]): Promise<boolean[]> => {
  const body = JSON.stringify({ Entries: events.map(entryOf) })
  for (let left = tries - 1; ; left--) {
    try {
      const { Entries } = await send(body)
      return events.map((_, n) => Boolean(Entries[n]?.EventId))
    } catch (error) {
      if (left === 0) throw error
      await pause(waitMs)
    }
  }
}
