import type { Context } from 'aws-lambda'
import { log } from '../../shared/log.ts'
import { measured } from '../../shared/metrics.ts'
import { publishMissed } from '../../shared/wines/publishing/runs.ts'

// What the last step of a merchant takes at most.
const reserveMs = 60_000

export const handler = measured(async (_: unknown, context: Context) => {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  const { failures, ...counts } = await publishMissed(deadline)
  log.info('published what was missed', { ...counts, failed: failures.length })
  for (const { merchant, error } of failures)
    log.error('what a merchant changed could not be published', { merchant, error: error as Error })
  // Lambda's error metric counts what is thrown; by now everybody else was seen to.
  if (failures.length > 0) throw new Error(`the changes of ${failures.length} merchants could not be published`)
})
