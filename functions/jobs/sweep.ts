import type { Context } from 'aws-lambda'
import { log } from '../../shared/log.ts'
import { count, measured } from '../../shared/metrics.ts'
import { dispatchSweeps } from '../../shared/orders/checkout/dispatch.ts'

// What one visit takes at most: a query and an invocation, three tries of three seconds each.
const reserveMs = 20_000

export const handler = measured(async (_: unknown, context: Context) => {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  const { failures, ...counts } = await dispatchSweeps(deadline)
  count('PaymentsInReview', counts.inReview)
  count('SweepFailures', failures.length)
  log.info('dispatched sweeps', { ...counts, failed: failures.length })
  for (const { merchant, error } of failures)
    log.error('a merchant could not be swept', { merchant, error: error as Error })
  // Lambda's error metric counts what is thrown; by now everybody else was seen to.
  if (failures.length > 0) throw new Error(`${failures.length} merchants could not be swept`)
})
