import { randomInt } from 'node:crypto'

/** A moment as the interface writes it: `YYYY-MM-DD HH:MM:SS`, UTC. */
export const timestamp = (moment: number | Date): string =>
  new Date(moment).toISOString().slice(0, 19).replace('T', ' ')

/** Unix seconds of a moment in milliseconds, as DynamoDB's TTL wants them. */
export const unixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** Milliseconds of a timestamp of the interface. */
export const parseTimestamp = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)

const epoch = Date.UTC(2026, 0, 1)
let last = 0

/**
 * A record id that needs no counter: milliseconds since 2026, then 12 random bits, or the next one after the last. It is
 * below 2^53 until the year 2095, and each is higher than all that this process drew before. Another process may draw the
 * same id in the same millisecond: a writer puts it under a condition, and draws again where that does not hold.
 */
export const timeOrderedId = (): number => {
  last = Math.max((Date.now() - epoch) * 4096 + randomInt(4096), last + 1)
  return last
}
