import { randomInt } from 'node:crypto'

const epoch = Date.UTC(2026, 0, 1)

/**
 * A record id that needs no counter: milliseconds since 2026, then 12 random bits. Below 2^53 until the year 2095 and
 * rising with time; the writer still puts it under a condition, because two ids of one millisecond may meet.
 */
export const timeOrderedId = (now = Date.now()): number => (now - epoch) * 4096 + randomInt(4096)
