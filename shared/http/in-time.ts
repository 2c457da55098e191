import type { Context } from 'aws-lambda'
import { Unavailable } from '../platform/table/failures.ts'

// What it takes to answer, in milliseconds.
const reserve = 500

/**
 * Waits for what a request needs, as long as its function can still answer: one that Lambda ends leaves the answer to the
 * gateway, which knows neither the contract's shape nor the request id. Throws Unavailable then.
 */
export const inTime = async <T>(context: Context, work: Promise<T>): Promise<T> => {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const left = Math.max(0, context.getRemainingTimeInMillis() - reserve)
  const timer = setTimeout(() => reject(new Unavailable('the time of the function is over')), left)
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
