import { setTimeout as pause } from 'node:timers/promises'
import type { BusEvent } from '../contract/events.ts'
import { maxEntries, putEvents } from './bus.ts'

/** An event, and a callback for when the bus has accepted it. */
export type PendingEvent = { event: BusEvent; published?(): Promise<unknown> }

type Lane = { rest: readonly PendingEvent[]; refusals: number }

const maxRefusals = 4
const waitMs = 200

const after = async ({ rest: [first, ...rest], refusals }: Lane, isTaken: boolean): Promise<Lane> => {
  if (!isTaken) return { rest: first ? [first, ...rest] : rest, refusals: refusals + 1 }
  await first?.published?.()
  return { rest, refusals: 0 }
}

/**
 * Publishes the events of each lane in order: an event only after the bus has accepted its predecessor. Lanes are
 * published concurrently. A refused event is sent up to four times. Only the first request may begin after `until` (epoch
 * milliseconds). Returns how many lanes were given up, and how many are left for lack of time.
 */
export const publishInOrder = async (
  lanes: readonly (readonly PendingEvent[])[],
  until: number,
): Promise<{ givenUp: number; left: number }> => {
  let waiting = lanes.map((rest): Lane => ({ rest, refusals: 0 })).filter(({ rest }) => rest.length > 0)
  let givenUp = 0
  while (waiting.length > 0) {
    const [now, later] = [waiting.slice(0, maxEntries), waiting.slice(maxEntries)]
    const taken = await putEvents(now.flatMap(({ rest: [first] }) => first?.event ?? []))
    const next = await Promise.all(now.map((lane, n) => after(lane, taken[n] === true)))
    givenUp += next.filter(({ refusals }) => refusals >= maxRefusals).length
    if (taken.includes(false)) await pause(waitMs)
    waiting = [...later, ...next.filter(({ rest, refusals }) => rest.length > 0 && refusals < maxRefusals)]
    if (Date.now() > until) break
  }
  return { givenUp, left: waiting.length }
}
