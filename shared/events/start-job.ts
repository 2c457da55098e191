import type { DynamoDBStreamEvent } from 'aws-lambda'
import { log } from '../platform/log.ts'
import { type MerchantId, merchantIdOf } from '../platform/table/keys.ts'

/** What starts the job that tells the bus of what happened, apart from the clock: whose changes it is about. */
export type Changed = { merchants: number[] }

// Separate from publish-events.ts, so that callers which only start the job load no client of the bus.
export const eventJobInput = (merchants: Iterable<MerchantId>): Changed => ({ merchants: [...new Set(merchants)] })

/**
 * Starts the job that tells the bus of what happened at some merchants. Never rejects, and gives up after `ms`
 * milliseconds: the clock starts that job as well.
 */
export const startEventJob = async (merchants: readonly MerchantId[], ms: number): Promise<void> => {
  try {
    // Lambda's client would be a fifth of the start of who publishes. It is loaded beside that.
    const { startJob } = await import('../platform/jobs/start.ts')
    await startJob(eventJobInput(merchants), ms)
  } catch (error) {
    log.error('the job of events was not started', { error })
  }
}

/** That something of a merchant was written, and whether it is an order's event. */
export type Change = { merchant: MerchantId; isOfOrder: boolean }

/** What of a batch of the stream is of merchants. */
export const changesIn = ({ Records }: DynamoDBStreamEvent): Change[] =>
  Records.flatMap(({ dynamodb }) => {
    const [, merchant] = /^m#(\d+)#/.exec(dynamodb?.Keys?.pk?.S ?? '') ?? []
    const isOfOrder = dynamodb?.Keys?.sk?.S?.startsWith('event#') ?? false
    return merchant === undefined ? [] : { merchant: merchantIdOf(merchant), isOfOrder }
  })
