import type { DynamoDBStreamEvent } from 'aws-lambda'
import { log } from '../../shared/log.ts'
import { measured } from '../../shared/metrics.ts'
import { merchantIdOf } from '../../shared/table/keys.ts'
import { publishChanges } from '../../shared/wines/publishing/runs.ts'

// While a run lasts, the changes after it wait.
const turnMs = 1500

/** Publishes what changed; fails in the end, so that the batch comes again, where a merchant's changes are not published. */
export const handler = measured(async ({ Records }: DynamoDBStreamEvent) => {
  const merchants = Records.flatMap(({ dynamodb }) => {
    const [, merchant] = /^m#(\d+)#/.exec(dynamodb?.Keys?.pk?.S ?? '') ?? []
    return merchant === undefined ? [] : merchantIdOf(merchant)
  })
  const failures = await publishChanges(merchants, Date.now() + turnMs)
  log.info('published', { merchants: new Set(merchants).size, failed: failures.length })
  for (const { merchant, error } of failures)
    log.error('what a merchant changed could not be published', { merchant, error: error as Error })
  if (failures.length > 0) throw new Error(`the changes of ${failures.length} merchants could not be published`)
})
