import type { DynamoDBStreamEvent } from 'aws-lambda'
import { changedAt } from '../../shared/events/changed.ts'
import { log } from '../../shared/log.ts'
import { measured } from '../../shared/metrics.ts'
import { type MerchantId, merchantIdOf } from '../../shared/table/keys.ts'
import { publishChanges } from '../../shared/wines/publishing/runs.ts'

// While a run lasts, the changes after it wait: for publishing, and for Lambda to start the job of events.
const turnMs = 1500

/** Whose changes the bus is to be told of does not keep anybody from publishing: the clock starts that job as well. */
const tellBus = async (merchants: readonly MerchantId[]): Promise<void> => {
  try {
    // Lambda's client would be a fifth of this function's start. It is loaded beside publishing.
    const { startJob } = await import('../../shared/jobs/start.ts')
    await startJob(changedAt(merchants), turnMs)
  } catch (error) {
    log.error('the job of events was not started', { error: error as Error })
  }
}

type Change = { merchant: MerchantId; isOfOrder: boolean }

const changesIn = ({ Records }: DynamoDBStreamEvent): Change[] =>
  Records.flatMap(({ dynamodb }) => {
    const [, merchant] = /^m#(\d+)#/.exec(dynamodb?.Keys?.pk?.S ?? '') ?? []
    const isOfOrder = dynamodb?.Keys?.sk?.S?.startsWith('event#') ?? false
    return merchant === undefined ? [] : { merchant: merchantIdOf(merchant), isOfOrder }
  })

/**
 * Publishes what changed, and has the bus told of it; fails in the end, so that the batch comes again, where a merchant's
 * changes are not published.
 */
export const handler = measured(async (event: DynamoDBStreamEvent) => {
  const changes = changesIn(event)
  const merchants = changes.flatMap(({ merchant, isOfOrder }) => (isOfOrder ? [] : merchant))
  const [failures] = await Promise.all([
    publishChanges(merchants, Date.now() + turnMs),
    tellBus(changes.map(({ merchant }) => merchant)),
  ])
  log.info('published', { merchants: new Set(merchants).size, failed: failures.length })
  for (const { merchant, error } of failures)
    log.error('what a merchant changed could not be published', { merchant, error: error as Error })
  if (failures.length > 0) throw new Error(`the changes of ${failures.length} merchants could not be published`)
})
