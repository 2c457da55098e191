import { randomInt } from 'node:crypto'

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
