import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../contract/errors.ts'
import { Unavailable } from './failures.ts'

// Milliseconds between the reads: half a second in all.
const pauses = [10, 20, 40, 80, 150, 200]

const missing = (error: unknown): undefined => {
  if (error instanceof Problem && error.status === 404) return undefined
  throw error
}

/**
 * Reads a record that another one names, and again for half a second while it is missing (undefined, or a 404): a
 * transaction that writes both shows item by item. Throws Unavailable when the record still does not show then.
 */
export const untilShown = async <T>(read: () => Promise<T | undefined>): Promise<T> => {
  for (const wait of [0, ...pauses]) {
    if (wait > 0) await pause(wait)
    const found = await read().catch(missing)
    if (found !== undefined) return found
  }
  throw new Unavailable('a record that another one names does not show')
}
