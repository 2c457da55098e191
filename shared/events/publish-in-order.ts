import { setTimeout as pause } from 'node:timers/promises'
import type { BusEvent } from '../contract/events.ts'
import { maxEntries, putEvents } from './bus.ts'

/** An event, and what is done once the bus has it. */
export type PendingEvent = { event: BusEvent; told?(): Promise<unknown> }

type Lane = { rest: readonly PendingEvent[]; refusals: number }

const mostRefusals = 4
const waitMs = 200

const after = async ({ rest: [first, ...rest], refusals }: Lane, isTaken: boolean): Promise<Lane> => {
  if (!isTaken) return { rest: first ? [first, ...rest] : rest, refusals: refusals + 1 }
  await first?.told?.()
  return { rest, refusals: 0 }
}

/**
 * Tells the bus of events in lanes: of each lane one after the other, the next one only when the bus has the one before, and
 * of many lanes at once. What the bus refuses is sent again, some times. No request is begun after `until` (epoch
 * milliseconds) but the first. Returns how many lanes were given up, and how many time was lacking for.
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
    givenUp += next.filter(({ refusals }) => refusals >= mostRefusals).length
    if (taken.includes(false)) await pause(waitMs)
    waiting = [...later, ...next.filter(({ rest, refusals }) => rest.length > 0 && refusals < mostRefusals)]
    if (Date.now() > until) break
  }
  return { givenUp, left: waiting.length }
}
