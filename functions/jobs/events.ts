import type { Context } from 'aws-lambda'
import { publishEvents } from '../../shared/events/publish-events.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { measured } from '../../shared/platform/log.ts'

// What is begun last takes: a step of wines, a request to the bus with its repeats, and those to the table.
const reserveMs = 60_000

export const handler = measured(async (event: unknown, context: Context) => {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  conclude('told events', 'a merchant’s events could not be told', await publishEvents(event, deadline))
})
