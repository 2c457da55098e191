import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { startTwin, type Twin } from '../../lib/twin/twin.ts'
import { key, merchantIdOf } from '../../shared/platform/table/keys.ts'
import { putItem } from '../../shared/platform/table/table.ts'
import { eventually } from '../support/eventually.ts'
import { seedBuild } from '../support/running-twin.ts'
import { stubBundles } from '../support/stub-bundles.ts'

const tries = 4

let twin: Twin
let folder: string
const bundles = stubBundles({
  'jobs/publish': `export const handler = async () => { throw new Error('out of order') }`,
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weinkontor-dead-letters-'))
  await seedBuild(folder)
  twin = await startTwin({ port: 0, folder, bundles, timers: false, warn: () => {} })
  actAsOperator(twin.connection)
})

afterAll(async () => {
  await twin.close()
  for (const one of [folder, bundles]) await rm(one, { recursive: true, force: true, maxRetries: 5 })
})

type DeadLetter = { queue: string; refused?: string; message: { requestContext: object; DDBStreamBatchInfo: object } }

const readDeadLetters = async (): Promise<DeadLetter[]> =>
  // The file does not exist before the first line.
  (await readFile(join(folder, 'service.log'), 'utf8').catch(() => ''))
    .split('\n')
    .filter(line => line.startsWith('{"queue"'))
    .map(line => JSON.parse(line))

test('a batch that a job of the stream fails again and again is sent to the queue, with the permissions of its function', async () => {
  await putItem(key('catalogue', { merchant: merchantIdOf(7) }), { version: 1 })
  const lines = await eventually(readDeadLetters, ({ length }) => length > 0)
  expect(lines).toEqual([
    {
      queue: expect.stringMatching(/^arn:aws:sqs:.*DeadLetters/),
      message: expect.objectContaining({
        requestContext: expect.objectContaining({
          functionArn: expect.stringContaining(twin.connection.functions['jobs/publish'] ?? ''),
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: tries,
        }),
        DDBStreamBatchInfo: expect.objectContaining({
          batchSize: 1,
          startSequenceNumber: expect.stringMatching(/^\d+$/),
        }),
      }),
    },
  ])
  const counts = (await (await fetch(twin.connection.requests)).json()) as Record<string, Record<string, number>>
  expect(counts[twin.connection.functions['jobs/publish'] ?? '']).toMatchObject({ 'sqs:SendMessage': 1 })
})
