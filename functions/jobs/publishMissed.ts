import type { Context } from 'aws-lambda'
import { publishMissed, unpublished } from '../../shared/catalogue/publishing/runs.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { withMetrics } from '../../shared/platform/log.ts'

// The longest that the last step of a merchant takes.
const reserveMs = 60_000

export const handler = withMetrics(async (_: unknown, context: Context) => {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  conclude('published what was missed', unpublished, await publishMissed(deadline))
})
