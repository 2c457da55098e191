import type { Context } from 'aws-lambda'
import { publishEvents } from '../../shared/events/publish-events.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { withMetrics } from '../../shared/platform/log.ts'

// For the last batch of wines: a request to the bus with its retries, and those to the table.
const reserveMs = 60_000

export const handler = withMetrics(async (event: unknown, context: Context) => {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  conclude('published events', 'a merchant’s events could not be published', await publishEvents(event, deadline))
})
