import { log } from '../log.ts'

/** The counts of a job's run, and its failures with their subject, such as `{ merchant: 7, error }`. */
export type Outcome = { failures: readonly { error: unknown }[] } & Record<string, unknown>

/**
 * Ends a run of a job that continues after failures: logs the counts and each failure. Throws if there was any, so that
 * Lambda counts an error and retries a batch.
 */
export const conclude = (done: string, failed: string, { failures, ...counts }: Outcome): void => {
  log.info(done, { ...counts, failed: failures.length })
  for (const { error, ...whose } of failures) log.error(failed, { ...whose, error })
  const whose = failures.slice(0, 10).map(({ error: _, ...one }) => Object.values(one).join(' '))
  if (failures.length > 0) throw new Error(`${failures.length} times: ${failed} (${whose.join(', ')})`)
}
