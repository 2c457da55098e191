import type { Writable } from 'node:stream'
import { accessKeyIdOf, type Principals } from '../iam/principals.ts'

/** A batch of the stream that is given up, after so many tries; its records arrived from then to then. */
export type DeadBatch = {
  queueArn: string
  functionArn: string
  shard: number
  numbers: readonly string[]
  arrived: readonly [first: number, last: number]
  tries: number
  isOld: boolean
}

/** The message that Lambda sends to the queue: the position of the batch in the stream, not its records. */
const messageOf = ({ functionArn, shard, numbers, arrived: [first, last], tries, isOld }: DeadBatch) => ({
  requestContext: {
    functionArn,
    // AWS does not document Lambda's name of the first of these.
    condition: isOld ? 'RecordAgeExceeded' : 'RetryAttemptsExhausted',
    approximateInvokeCount: tries,
  },
  responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
  version: '1.0',
  timestamp: new Date().toISOString(),
  DDBStreamBatchInfo: {
    shardId: `shard-${shard}`,
    startSequenceNumber: numbers[0],
    endSequenceNumber: numbers.at(-1),
    approximateArrivalOfFirstRecord: new Date(first).toISOString(),
    approximateArrivalOfLastRecord: new Date(last).toISOString(),
    batchSize: numbers.length,
  },
})

export type DeadLetterOptions = Pick<Principals, 'allows' | 'count'> & { log: Writable }

/**
 * Replaces the queue of dead letters: messages are lines of the log, and are counted as requests of the
 * function whose rights Lambda would need for them.
 */
export const deadLetters =
  ({ allows, count, log }: DeadLetterOptions) =>
  (batch: DeadBatch): void => {
    const { queueArn: queue, functionArn } = batch
    const principal = accessKeyIdOf(functionArn.split(':').at(-1) ?? '')
    const action = 'sqs:SendMessage'
    const isAllowed = allows(principal, { action, resource: queue, context: {} })
    if (isAllowed) count(principal, action)
    const line = { queue, ...(!isAllowed && { refused: action }), message: messageOf(batch) }
    log.write(`${JSON.stringify(line)}\n`)
  }
