import type { DynamoDBStreamEvent } from 'aws-lambda'
import { log } from '../platform/log.ts'
import { type MerchantId, merchantIdOf } from '../platform/table/keys.ts'

/** The input of the job that publishes events: the merchants with changes. The schedule gives no such input. */
export type EventJobInput = { merchants: number[] }

// Separate from publish-events.ts, so that callers which only start the job load no client of the bus.
export const eventJobInput = (merchants: Iterable<MerchantId>): EventJobInput => ({
  merchants: [...new Set(merchants)],
})

/**
 * Starts the job that publishes the events of some merchants. Never rejects, and gives up after `ms` milliseconds: the
 * schedule starts that job as well.
 */
export const startEventJob = async (merchants: readonly MerchantId[], ms: number): Promise<void> => {
  try {
    // Loaded concurrently with publishing: Lambda's client would add a fifth to the cold start.
    const { startJob } = await import('../platform/jobs/start.ts')
    await startJob(eventJobInput(merchants), ms)
  } catch (error) {
    log.error('the job of events was not started', { error })
  }
}

/** A stream record of a merchant: any item, or an event in the outbox (`isOfOrder`). */
export type Change = { merchant: MerchantId; isOfOrder: boolean }

/** Returns the records of a stream batch that belong to merchants. */
export const changesIn = ({ Records }: DynamoDBStreamEvent): Change[] =>
  Records.flatMap(({ dynamodb }) => {
    const [, merchant] = /^m#(\d+)#/.exec(dynamodb?.Keys?.pk?.S ?? '') ?? []
    const isOfOrder = dynamodb?.Keys?.sk?.S?.startsWith('event#') ?? false
    return merchant === undefined ? [] : { merchant: merchantIdOf(merchant), isOfOrder }
  })
