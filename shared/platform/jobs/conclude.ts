import { log } from '../log.ts'

/** What a run of a job did, as counts, and what it could not do: for whom it was, such as `{ merchant: 7, error }`. */
export type Outcome = { failures: readonly { error: unknown }[] } & Record<string, unknown>

/**
 * Ends a run of a job that goes on where something fails: says in the log what was done, and each thing that failed.
 * Throws in the end where anything did, for Lambda counts as an error what is thrown, and brings a batch again.
 */
export const conclude = (done: string, failed: string, { failures, ...counts }: Outcome): void => {
  log.info(done, { ...counts, failed: failures.length })
  for (const { error, ...whose } of failures) log.error(failed, { ...whose, error })
  const whose = failures.slice(0, 10).map(({ error: _, ...one }) => Object.values(one).join(' '))
  if (failures.length > 0) throw new Error(`${failures.length} times: ${failed} (${whose.join(', ')})`)
}
