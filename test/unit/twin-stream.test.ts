import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { evenly, type Manner, pollStream } from '../../lib/twin/dynamodb/stream.ts'

type StreamRecord = { dynamodb: { Keys: { pk: { S: string }; sk: { S: string } }; SequenceNumber: string } }

const partitions = ['a', 'b', 'c']
const records = Array.from(
  { length: 30 },
  (_, n): StreamRecord => ({
    dynamodb: { Keys: { pk: { S: partitions[n % 3] ?? '' }, sk: { S: 'version' } }, SequenceNumber: String(n) },
  }),
)

/** A stream of one shard, which brings five records at a time. */
let read = 0
const server = createServer(async (request, response) => {
  const operation = String(request.headers['x-amz-target']).split('.')[1]
  await text(request)
  const answers: Record<string, () => object> = {
    ListStreams: () => ({ Streams: [{ StreamArn: 'stream' }] }),
    DescribeStream: () => ({ StreamDescription: { Shards: [{ ShardId: 'shard' }] } }),
    GetShardIterator: () => ({ ShardIterator: 'iterator' }),
    GetRecords: () => {
      read += 5
      return { Records: records.slice(read - 5, read), NextShardIterator: 'iterator' }
    },
  }
  response.end(JSON.stringify(answers[operation ?? '']?.()))
})
beforeAll(() => new Promise<void>(done => server.listen(0, '127.0.0.1', done)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** The numbers of the records that a function was started with, batch after batch, by partition. */
const delivered = async (manner: Manner): Promise<Map<string, number[][]>> => {
  read = 0
  const batches = new Map<string, number[][]>()
  let count = 0
  const invoke = async (event: unknown) => {
    const { Records } = event as { Records: StreamRecord[] }
    count += Records.length
    for (const [partition, own = []] of Map.groupBy(Records, ({ dynamodb }) => dynamodb.Keys.pk.S))
      batches.set(partition, [
        ...(batches.get(partition) ?? []),
        own.map(({ dynamodb }) => Number(dynamodb.SequenceNumber)),
      ])
  }
  const { port } = server.address() as AddressInfo
  const poller = pollStream(new URL(`http://127.0.0.1:${port}`), 'table', manner)
  const target = { invoke } as never
  poller.setTargets([{ functionArn: 'job', sortKeys: ['version'], batchSize: 4, windowSeconds: 0, target }])
  const wanted = records.length * manner.times()
  for (let n = 0; n < 200 && count < wanted; n++) await pause(100)
  await poller.close()
  return batches
}

const ofPartition = (at: number) => records.map((_, n) => n).filter(n => n % 3 === at)

test('a stream brings each record once, in order', async () => {
  const batches = await delivered(evenly)
  for (const [at, name] of partitions.entries()) expect(batches.get(name)?.flat()).toEqual(ofPartition(at))
}, 30_000)

test('an uneven one brings batches late and again, and keeps the order within each partition alone', async () => {
  let turns = 0
  const batches = await delivered({ shards: 3, isLate: () => ++turns % 3 !== 0, times: () => 2 })
  for (const [at, name] of partitions.entries()) {
    const all = batches.get(name) ?? []
    expect(all.filter((_, n) => n % 2 === 0)).toEqual(all.filter((_, n) => n % 2 === 1))
    expect(all.filter((_, n) => n % 2 === 0).flat()).toEqual(ofPartition(at))
  }
}, 30_000)
