import type { DynamoDBStreamEvent } from 'aws-lambda'
import { changesIn, startTelling } from '../../shared/events/changed.ts'
import { log } from '../../shared/log.ts'
import { measured } from '../../shared/metrics.ts'
import { publishChanges } from '../../shared/wines/publishing/runs.ts'

// While a run lasts, the changes after it wait: for publishing, and for Lambda to start the job of events.
const turnMs = 1500

/**
 * Publishes what changed, and has the bus told of it; fails in the end, so that the batch comes again, where a merchant's
 * changes are not published.
 */
export const handler = measured(async (event: DynamoDBStreamEvent) => {
  const changes = changesIn(event)
  const merchants = changes.flatMap(({ merchant, isOfOrder }) => (isOfOrder ? [] : merchant))
  const [failures] = await Promise.all([
    publishChanges(merchants, Date.now() + turnMs),
    startTelling(
      changes.map(({ merchant }) => merchant),
      turnMs,
    ),
  ])
  log.info('published', { merchants: new Set(merchants).size, failed: failures.length })
  for (const { merchant, error } of failures)
    log.error('what a merchant changed could not be published', { merchant, error: error as Error })
  if (failures.length > 0) throw new Error(`the changes of ${failures.length} merchants could not be published`)
})
