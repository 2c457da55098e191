import { count } from '../metrics.ts'
import { absent } from '../table/expressions.ts'
import { ConditionFailed } from '../table/failures.ts'
import type { FailuresItem } from '../table/items.ts'
import { key } from '../table/keys.ts'
import { putItem, updateItem } from '../table/table.ts'
import { unixSeconds } from '../time.ts'

const windowSeconds = 15 * 60
const allowedFailures = 20

const startWindow = async (source: string, now: number): Promise<FailuresItem> => {
  const failures = { count: 1, expires: now + windowSeconds }
  const over = { anyOf: [absent, { attribute: 'expires', is: '<=', value: now }] } as const
  await putItem(key('failures', { source }), failures, { when: [over] })
  return failures
}

/** Counts one failure of a source in its present window of 15 minutes. */
const countFailure = async (source: string): Promise<FailuresItem> => {
  const now = unixSeconds(Date.now())
  const add = () =>
    updateItem(key('failures', { source }), { add: { count: 1 } }, [{ attribute: 'expires', is: '>', value: now }])
  try {
    return await add()
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  try {
    return await startWindow(source, now)
  } catch (error) {
    // Another failure opened the window at the same moment.
    if (error instanceof ConditionFailed) return add()
    throw error
  }
}

/**
 * Counts a failed sign-in against each of its sources. Returns the seconds to wait once one of them had more than 20 in
 * 15 minutes, else 0.
 */
export const countFailures = async (sources: readonly string[]): Promise<number> => {
  count('FailedLogins')
  const failures = await Promise.all(sources.map(countFailure))
  const over = failures.filter(({ count }) => count > allowedFailures)
  return Math.max(0, ...over.map(({ expires }) => Math.max(1, expires - unixSeconds(Date.now()))))
}
