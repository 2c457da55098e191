import type { DynamoDBStreamEvent } from 'aws-lambda'
import { changesIn, eventJobInput, startEventJob } from '../../shared/events/start-job.ts'
import { log } from '../../shared/platform/log.ts'
import { merchantIdOf } from '../../shared/platform/table/keys.ts'

const record = (pk: string, sk: string) => ({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } })

test('each record of a stream batch is a change of the merchant whose partition it is in, or of none', () => {
  const Records = [
    record('m#7#outbox', 'event#1#2'),
    record('m#7#wines', 'wine#event#1'),
    record('m#12#catalogue', 'catalogue'),
    record('public#3#wines', 'wine#1'),
    record('from#m#9#', 'event#1'),
    { dynamodb: { Keys: { pk: { S: 'm#5#wines' } } } },
    { dynamodb: { Keys: { pk: {}, sk: {} } } },
    { dynamodb: { Keys: {} } },
    { dynamodb: {} },
    {},
  ]
  expect(changesIn({ Records } as DynamoDBStreamEvent)).toEqual([
    { merchant: 7, isOfOrder: true },
    { merchant: 7, isOfOrder: false },
    { merchant: 12, isOfOrder: false },
    { merchant: 5, isOfOrder: false },
  ])
})

test('the job is started once for each merchant', () => {
  expect(eventJobInput([7, 12, 7].map(merchantIdOf))).toEqual({ merchants: [7, 12] })
})

test('a job that cannot be started is logged, and does not fail the run', async () => {
  const said: unknown[] = []
  const { error } = log
  log.error = (...words: unknown[]) => void said.push(words[0])
  try {
    // Nothing says where the job is.
    await startEventJob([merchantIdOf(7)], 1000)
  } finally {
    log.error = error
  }
  expect(said).toEqual(['the job of events was not started'])
})
