import type { Context } from 'aws-lambda'
import { tellEvents } from '../../shared/events/tell.ts'
import { log } from '../../shared/log.ts'
import { measured } from '../../shared/metrics.ts'

// What is begun last takes: a step of wines, a request to the bus with its repeats, and those to the table.
const reserveMs = 60_000

export const handler = measured(async (event: unknown, context: Context) => {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  const { failures, ...counts } = await tellEvents(event, deadline)
  log.info('told events', { ...counts, failed: failures.length })
  for (const { merchant, error } of failures)
    log.error('the bus could not be told of what happened', { merchant, error: error as Error })
  // Lambda's error metric counts what is thrown; by now everybody else's events are told.
  if (failures.length > 0) throw new Error(`the events of ${failures.length} merchants could not be told`)
})
