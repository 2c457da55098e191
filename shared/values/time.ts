import { randomInt } from 'node:crypto'

/** A moment as the interface writes it: `YYYY-MM-DD HH:MM:SS`, UTC. */
export const timestamp = (moment: number | Date): string =>
  new Date(moment).toISOString().slice(0, 19).replace('T', ' ')

/** Unix seconds, as DynamoDB's TTL needs them. */
export const unixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** Epoch milliseconds of a timestamp of the interface. */
export const parseTimestamp = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)

const epoch = Date.UTC(2026, 0, 1)
let last = 0

/**
 * A record id without a counter: milliseconds since 2026, then 12 random bits, or the last id + 1. Below 2^53 until the year
 * 2095, and ascending within a process. Another process may draw the same id in the same millisecond, so a writer stores it on
 * condition that it is new, and draws again if not.
 */
export const timeOrderedId = (): number => {
  last = Math.max((Date.now() - epoch) * 4096 + randomInt(4096), last + 1)
  return last
}
