import { setTimeout as pause } from 'node:timers/promises'
import { count } from '../../platform/log.ts'
import { jitter, TransactionRefused, Unavailable } from '../../platform/table/failures.ts'
import { onlyNumbersLost } from './numbers.ts'

// Function and gateway end a request after 29 s; what is left then is for reading, the provider and the response.
const budget = 15_000

/** Another request commits the orders that wait: the attempt has written nothing and leaves its order to that one. */
export class SomebodyLeads extends Error {}

type WithNumbers<T> = {
  /** Reads what it needs and writes it in one transaction; each time afresh. */
  attempt: () => Promise<T>
  /** Whether a refused transaction met others only, so that it may be tried again. */
  again: (error: TransactionRefused) => boolean
  /**
   * Waits in line until `deadline`, in milliseconds, while another request writes for this one. Returns what came of it;
   * undefined when this request has to try again itself.
   */
  wait?: (deadline: number) => Promise<T | undefined>
}

/**
 * Runs an attempt that takes numbers, until it succeeds or 15 seconds are over. An attempt that loses a number is made
 * again after a random pause; one that can wait in line does that instead. Throws the last refusal, or Unavailable for a
 * request that waited.
 */
export const withNumbers = async <T>({ attempt, again, wait }: WithNumbers<T>): Promise<T> => {
  const deadline = Date.now() + budget
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      const isLed = error instanceof SomebodyLeads
      if (!isLed && !(error instanceof TransactionRefused && again(error))) throw error
      if (Date.now() > deadline) throw isLed ? new Unavailable('too many wait for a number') : error
      if (!isLed) count('Retries')
      const done = isLed || onlyNumbersLost(error) ? await wait?.(deadline) : undefined
      if (done !== undefined) return done
      await pause(jitter(tried))
    }
  }
}
