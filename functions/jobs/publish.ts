import type { DynamoDBStreamEvent } from 'aws-lambda'
import { publishChanges, unpublished } from '../../shared/catalogue/publishing/runs.ts'
import { changesIn, startEventJob } from '../../shared/events/start-job.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { measured } from '../../shared/platform/log.ts'

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
    startEventJob(
      changes.map(({ merchant }) => merchant),
      turnMs,
    ),
  ])
  conclude('published', unpublished, { merchants: new Set(merchants).size, failures })
})
