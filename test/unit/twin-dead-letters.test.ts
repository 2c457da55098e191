import { Writable } from 'node:stream'
import { deadLetters } from '../../lib/twin/dynamodb/dead-letters.ts'
import { createPrincipals } from '../../lib/twin/iam/principals.ts'
import type { Model } from '../../lib/twin/template/model.ts'

const queueArn = 'arn:aws:sqs:eu-central-1:000000000000:queue/Dead'
const batch = {
  queueArn,
  functionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:Job',
  shard: 1,
  numbers: ['7', '8', '9'],
  arrived: [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)] as const,
  tries: 4,
  isOld: false,
}

/** Gives up a batch of a function that may write to the queue, or may not; returns the log lines and the counted requests. */
const deadLettered = (isAllowed: boolean, more: Partial<typeof batch> = {}) => {
  const principals = createPrincipals()
  const statement = { effect: 'Allow', actions: ['sqs:SendMessage'], resources: [queueArn], conditions: {} } as const
  const functions = [{ name: 'Job', statements: isAllowed ? [statement] : [] }]
  principals.apply({ functions, bucket: { policy: [] }, operators: [] } as unknown as Model)
  let text = ''
  const log = new Writable({
    write: (chunk, _, done) => {
      text += chunk
      done()
    },
  })
  deadLetters({ ...principals, log })({ ...batch, ...more })
  return {
    lines: text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
    counts: principals.counts(),
  }
}

test('the message to the queue is a line of the log, and is counted', () => {
  const { lines, counts } = deadLettered(true)
  expect(counts).toEqual({ Job: { 'sqs:SendMessage': 1 } })
  expect(lines).toEqual([
    {
      queue: queueArn,
      message: {
        requestContext: {
          functionArn: batch.functionArn,
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 4,
        },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
        version: '1.0',
        timestamp: expect.any(String),
        DDBStreamBatchInfo: {
          shardId: 'shard-1',
          startSequenceNumber: '7',
          endSequenceNumber: '9',
          approximateArrivalOfFirstRecord: '2026-01-01T00:00:00.000Z',
          approximateArrivalOfLastRecord: '2026-01-02T00:00:00.000Z',
          batchSize: 3,
        },
      },
    },
  ])
})

test('a batch that is too old is reported as such', () => {
  const [{ message }] = deadLettered(true, { isOld: true }).lines
  expect(message.requestContext.condition).toBe('RecordAgeExceeded')
})

test('a function without the right sends no message, and the log says so', () => {
  const { lines, counts } = deadLettered(false)
  expect(lines).toMatchObject([{ refused: 'sqs:SendMessage' }])
  expect(counts).toEqual({})
})
