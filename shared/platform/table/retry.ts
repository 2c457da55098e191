import { setTimeout as pause } from 'node:timers/promises'
import { count } from '../metrics.ts'
import { TransactionRefused } from './failures.ts'

/** Milliseconds before the next try, with full jitter: up to 20 after the first try, then twice as many, 640 at most. */
export const jitter = (tried: number): number => Math.random() * Math.min(640, 20 * 2 ** (tried - 1))

/** Waits before the next try, as jitter says. */
export const pauseBeforeTry = (tried: number): Promise<void> => {
  count('Retries')
  return pause(jitter(tried))
}

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
