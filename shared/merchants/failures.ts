import { count } from '../platform/log.ts'
import { absent, type Clause, equals } from '../platform/table/expressions.ts'
import { ConditionFailed } from '../platform/table/failures.ts'
import type { FailuresItem } from '../platform/table/items.ts'
import { key } from '../platform/table/keys.ts'
import { putItem, updateItem } from '../platform/table/table.ts'
import { unixSeconds } from '../values/time.ts'

const windowSeconds = 15 * 60
const allowedFailures = 20

const startWindow = async (source: string, now: number): Promise<FailuresItem> => {
  const failures = { count: 1, expires: now + windowSeconds, at: now }
  const over = { anyOf: [absent, { attribute: 'expires', is: '<=', value: now }] } as const
  await putItem(key('failures', { source }), failures, { when: [over] })
  return failures
}

/** Counts a failure of a source in its current window of 15 minutes. Throws ConditionFailed if a clause is not met. */
const countFailure = async (
  source: string,
  now: number,
  when: readonly Clause<FailuresItem>[] = [],
): Promise<FailuresItem> => {
  const place = key('failures', { source })
  const isOpen = { attribute: 'expires', is: '>', value: now } as const
  const add = () => updateItem(place, { add: { count: 1 }, set: { at: now } }, [isOpen, ...when])
  try {
    return await add()
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    if ((error.present(place)?.expires ?? 0) > now) throw error
  }
  try {
    return await startWindow(source, now)
  } catch (error) {
    // A concurrent failure opened the window.
    if (error instanceof ConditionFailed) return add()
    throw error
  }
}

/**
 * Counts a failed sign-in against each of its sources. Returns the seconds to wait if any of them had more than 20 failures
 * in 15 minutes, else 0.
 */
export const countFailures = async (sources: readonly string[]): Promise<number> => {
  count('FailedLogins')
  const now = unixSeconds(Date.now())
  const failures = await Promise.all(sources.map(source => countFailure(source, now)))
  const over = failures.filter(({ count }) => count > allowedFailures)
  return Math.max(0, ...over.map(({ expires }) => Math.max(1, expires - now)))
}

/** An attempt that counts as a failure until `undo`; `wait` is 0, or the seconds after which it may be made. */
export type CountedAttempt = { wait: number; undo(): Promise<void> }

const minute = 60

/**
 * Counts an attempt of a source as a failure before its outcome is known. It is allowed while the source has less than 20
 * failures in 15 minutes, pending attempts included, and with `eachMinute` also one minute after the last attempt;
 * otherwise it is not counted.
 */
export const countAttempt = async (source: string, { eachMinute = false } = {}): Promise<CountedAttempt> => {
  const now = unixSeconds(Date.now())
  const isFew = { attribute: 'count', is: '<', value: allowedFailures } as const
  const isLate = { attribute: 'at', is: '<=', value: now - minute } as const
  const place = key('failures', { source })
  try {
    const { expires } = await countFailure(source, now, [eachMinute ? { anyOf: [isFew, isLate] } : isFew])
    const undo = async (): Promise<void> => {
      // A later window does not contain it.
      await updateItem(place, { add: { count: -1 } }, [equals('expires', expires)]).catch(error => {
        if (!(error instanceof ConditionFailed)) throw error
      })
    }
    return { wait: 0, undo }
  } catch (error) {
    const present = error instanceof ConditionFailed && error.present(place)
    if (!present) throw error
    const end = eachMinute ? Math.min(present.expires, present.at + minute) : present.expires
    return { wait: Math.max(1, end - now), undo: async () => {} }
  }
}
