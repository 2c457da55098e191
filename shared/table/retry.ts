import { setTimeout as pause } from 'node:timers/promises'
import { TransactionRefused } from './failures.ts'

/** Waits before the next try, with full jitter: up to 20 ms after the first try, then twice as long, 640 ms at most. */
export const pauseBeforeTry = (tried: number): Promise<void> =>
  pause(Math.random() * Math.min(640, 20 * 2 ** (tried - 1)))

/**
 * Runs a read-and-transact attempt again while `again` says that its refusal was only contention; the attempt reads
 * afresh each time. The last refusal is thrown.
 */
export const retrying = async <T>(
  attempt: () => Promise<T>,
  again: (error: TransactionRefused) => boolean | Promise<boolean>,
  tries = 12,
): Promise<T> => {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof TransactionRefused) || tried === tries || !(await again(error))) throw error
      await pauseBeforeTry(tried)
    }
  }
}
