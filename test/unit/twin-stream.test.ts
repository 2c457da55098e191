import { text } from 'node:stream/consumers'
import type { DeadBatch } from '../../lib/twin/dynamodb/dead-letters.ts'
import { inOrderDelivery, pollStream, type StreamDelivery } from '../../lib/twin/dynamodb/stream.ts'
import { eventually } from '../support/eventually.ts'
import { localServer } from '../support/local-server.ts'

type StreamRecord = {
  eventName: string
  dynamodb: { Keys: { pk: { S: string }; sk: { S: string } }; SequenceNumber: string }
}

const partitions = ['a', 'b', 'c']
const records = Array.from(
  { length: 30 },
  (_, n): StreamRecord => ({
    eventName: 'MODIFY',
    dynamodb: { Keys: { pk: { S: partitions[n % 3] ?? '' }, sk: { S: 'version' } }, SequenceNumber: String(n) },
  }),
)

/** A stream of one shard, which brings ten records at a time. */
let read = 0
const url = await localServer(async (request, response) => {
  const operation = String(request.headers['x-amz-target']).split('.')[1]
  await text(request)
  const answers: Record<string, () => object> = {
    ListStreams: () => ({ Streams: [{ StreamArn: 'stream' }] }),
    DescribeStream: () => ({ StreamDescription: { Shards: [{ ShardId: 'shard' }] } }),
    GetShardIterator: () => ({ ShardIterator: 'iterator' }),
    GetRecords: () => {
      read += 10
      return { Records: records.slice(read - 10, read), NextShardIterator: 'iterator' }
    },
  }
  response.end(JSON.stringify(answers[operation ?? '']?.()))
})

const mapping = {
  functionArn: 'job',
  sortKeys: ['version'],
  prefixes: [],
  eventNames: ['MODIFY'],
  batchSize: 4,
  windowSeconds: 0,
  retries: 2,
  oldestSeconds: 3600,
  deadLettersArn: 'queue',
}

const deadLetters: DeadBatch[] = []

/** The batches that a function refused. */
const refused: StreamRecord[][] = []

/** The numbers of the records that a function was started with, batch after batch, by partition. */
const delivered = async (
  delivery: StreamDelivery,
  refusals = 0,
  mapped = mapping,
): Promise<Map<string, number[][]>> => {
  read = 0
  refused.length = 0
  deadLetters.length = 0
  const batches = new Map<string, number[][]>()
  let count = 0
  const invoke = async (event: unknown) => {
    const { Records } = event as { Records: StreamRecord[] }
    if (refused.length < refusals) {
      refused.push(Records)
      throw new Error('not now')
    }
    count += Records.length
    for (const [partition, own = []] of Map.groupBy(Records, ({ dynamodb }) => dynamodb.Keys.pk.S))
      batches.set(partition, [
        ...(batches.get(partition) ?? []),
        own.map(({ dynamodb }) => Number(dynamodb.SequenceNumber)),
      ])
  }
  const poller = pollStream(new URL(url), 'table', delivery, batch => deadLetters.push(batch))
  poller.setTargets([{ ...mapped, target: { invoke } as never }])
  const isGivenUp = refusals > mapped.retries || (refusals > 0 && mapped.oldestSeconds === 0)
  const wanted = (records.length - (isGivenUp ? mapping.batchSize : 0)) * delivery.times()
  await eventually(() => count >= wanted)
  await poller.close()
  return batches
}

const ofPartition = (at: number) => records.map((_, n) => n).filter(n => n % 3 === at)

test('a stream delivers each record once, in order', async () => {
  const batches = await delivered(inOrderDelivery)
  for (const [at, name] of partitions.entries()) expect(batches.get(name)?.flat()).toEqual(ofPartition(at))
})

test('a weak delivery is late and repeats batches, and keeps the order only within each partition', async () => {
  let turns = 0
  const batches = await delivered({ shards: 3, isLate: () => ++turns % 3 !== 0, times: () => 2 })
  for (const [at, name] of partitions.entries()) {
    const all = batches.get(name) ?? []
    expect(all.filter((_, n) => n % 2 === 0)).toEqual(all.filter((_, n) => n % 2 === 1))
    expect(all.filter((_, n) => n % 2 === 0).flat()).toEqual(ofPartition(at))
  }
})

test('a failed batch is delivered again unchanged, before the following batches', async () => {
  const batches = await delivered(inOrderDelivery, 2)
  expect(refused).toEqual([records.slice(0, 4), records.slice(0, 4)])
  expect(deadLetters).toEqual([])
  for (const [at, name] of partitions.entries()) expect(batches.get(name)?.flat()).toEqual(ofPartition(at))
})

test('a batch that fails too often is dropped, and the following batches are delivered', async () => {
  const batches = await delivered(inOrderDelivery, mapping.retries + 1)
  expect(refused).toHaveLength(mapping.retries + 1)
  const given = [...batches.values()].flat(2).sort((a, b) => a - b)
  expect(given).toEqual(records.map((_, n) => n).slice(refused[0]?.length))
})

test('a dropped batch is reported with its sequence numbers and the reason', async () => {
  const batch = {
    queueArn: 'queue',
    functionArn: 'job',
    shard: 0,
    numbers: ['0', '1', '2', '3'],
    arrived: [expect.any(Number), expect.any(Number)],
  }
  await delivered(inOrderDelivery, mapping.retries + 1)
  expect(deadLetters).toEqual([{ ...batch, tries: mapping.retries + 1, isOld: false }])
  await delivered(inOrderDelivery, 1, { ...mapping, oldestSeconds: 0 })
  expect(deadLetters).toEqual([{ ...batch, tries: 1, isOld: true }])
})
