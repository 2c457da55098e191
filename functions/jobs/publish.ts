import type { DynamoDBStreamEvent } from 'aws-lambda'
import { publishChanges, unpublished } from '../../shared/catalogue/publishing/runs.ts'
import { changesIn, startEventJob } from '../../shared/events/start-job.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { withMetrics } from '../../shared/platform/log.ts'

// While a run lasts, later changes wait.
const turnMs = 1500

/** Publishes changed catalogues and starts the job of events; throws at the end, for a retry of the batch, on a failure. */
export const handler = withMetrics(async (event: DynamoDBStreamEvent) => {
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
