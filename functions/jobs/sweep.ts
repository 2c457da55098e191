import type { Context } from 'aws-lambda'
import { dispatchSweeps } from '../../shared/orders/checkout/dispatch.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { count, withMetrics } from '../../shared/platform/log.ts'

// The longest visit of a merchant: three queries and an invocation, three tries of three seconds each.
const reserveMs = 40_000

export const handler = withMetrics(async (_: unknown, context: Context) => {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  const dispatched = await dispatchSweeps(deadline)
  count('PaymentsInReview', dispatched.inReview)
  count('SweepFailures', dispatched.failures.length)
  conclude('dispatched sweeps', 'a merchant could not be swept', dispatched)
})
