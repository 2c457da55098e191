import { setTimeout as pause } from 'node:timers/promises'
import type { LocalFunction } from '../lambda/function.ts'
import type { EventSource } from '../template/model.ts'
import { region } from '../template/resolve.ts'
import type { DeadBatch } from './dead-letters.ts'

type StreamTarget = EventSource & { target: LocalFunction }

/** Follows the table's stream for whichever functions the template names. */
export type StreamPoller = {
  /** Resolves when no later change is missed. */
  begun: Promise<void>
  /** Replaces the functions; records that already wait for one of them stay. */
  setTargets(targets: readonly StreamTarget[]): void
  close(): Promise<void>
}

type StreamRecord = {
  eventName: string
  dynamodb: { Keys: { pk: { S: string }; sk: { S: string } }; SequenceNumber?: string }
}

/** How records reach a function: in how many shards, each in order by itself, which may be late, and how often. */
export type StreamDelivery = { shards: number; isLate(): boolean; times(): number }

export const inOrderDelivery: StreamDelivery = { shards: 1, isLate: () => false, times: () => 1 }

const shardOf = (partition: string, { shards }: StreamDelivery): number =>
  [...Buffer.from(partition)].reduce((sum, byte) => sum + byte, 0) % shards

const pollMs = 500
const longestPauseMs = 10_000
const headers = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
  // The engine behind the proxy reads the header, but checks no signature.
  authorization: `AWS4-HMAC-SHA256 Credential=twin/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
}

/** The stream responded, but not with what was asked for. */
class Refused extends Error {}

const ask = async (url: URL, operation: string, body: object): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'x-amz-target': `DynamoDBStreams_20120810.${operation}` },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Refused(`${operation}: ${await response.text()}`)
  return response.json()
}

const newestIterators = async (url: URL, table: string): Promise<string[]> => {
  const { Streams } = (await ask(url, 'ListStreams', { TableName: table })) as { Streams?: { StreamArn: string }[] }
  const StreamArn = Streams?.at(-1)?.StreamArn
  if (!StreamArn) return []
  const { StreamDescription } = (await ask(url, 'DescribeStream', { StreamArn })) as {
    StreamDescription: { Shards: { ShardId: string }[] }
  }
  return Promise.all(
    StreamDescription.Shards.map(async ({ ShardId }) => {
      const wanted = { StreamArn, ShardId, ShardIteratorType: 'LATEST' }
      const { ShardIterator } = (await ask(url, 'GetShardIterator', wanted)) as { ShardIterator: string }
      return ShardIterator
    }),
  )
}

type Pending = { record: StreamRecord; since: number }

type Batching = {
  pending: readonly Pending[]
  shard: number
  delivery: StreamDelivery
  toDeadLetters(batch: DeadBatch): void
}

const numbersOf = (batch: readonly Pending[]): string[] =>
  batch.map(({ record }) => record.dynamodb.SequenceNumber ?? '')

/**
 * Gathers a target's records until its batch is full or its window is over, then starts the function, one batch at a
 * time. A batch that failed comes again as it was, after a pause that grows, until it is given up and deadLetters.
 */
const batcherOf = (
  {
    functionArn,
    sortKeys,
    prefixes,
    eventNames,
    batchSize,
    windowSeconds,
    retries,
    oldestSeconds,
    deadLettersArn,
    target,
  }: StreamTarget,
  { pending, shard, delivery, toDeadLetters }: Batching,
) => {
  let waiting = [...pending]
  let failures = 0
  let notBefore = 0
  let isAtWork = false

  const giveUp = (batch: readonly Pending[], isOld: boolean): void => {
    if (!deadLettersArn) return
    const [first, last] = [batch[0], batch.at(-1)].map(one => one?.since ?? 0)
    const arrived = [first ?? 0, last ?? 0] as const
    toDeadLetters({
      queueArn: deadLettersArn,
      functionArn,
      shard,
      numbers: numbersOf(batch),
      arrived,
      tries: failures,
      isOld,
    })
  }

  const start = async (batch: readonly Pending[]): Promise<void> => {
    isAtWork = true
    try {
      const Records = batch.map(({ record }) => record)
      for (let times = delivery.times(); times > 0; times--) await target.invoke({ Records })
      failures = 0
    } catch {
      failures++
      notBefore = Date.now() + Math.min(longestPauseMs, pollMs * 2 ** failures)
    }
    const isOld = Date.now() - (batch[0]?.since ?? 0) >= oldestSeconds * 1000
    const isGivenUp = failures > retries || (failures > 0 && isOld)
    if (isGivenUp) giveUp(batch, failures <= retries)
    if (failures === 0 || isGivenUp) {
      waiting = waiting.slice(batch.length)
      failures = 0
      notBefore = 0
    }
    isAtWork = false
    deliver()
  }

  const isFollowed = (eventName: string, sortKey: string): boolean =>
    eventNames.includes(eventName) &&
    (sortKeys.includes(sortKey) || prefixes.some(prefix => sortKey.startsWith(prefix)))

  /** Starts the function, without awaiting it, if its batch is due and it is not busy. */
  const deliver = (): void => {
    const [first] = waiting
    const now = Date.now()
    if (!first || isAtWork || now < notBefore) return
    const isDue = waiting.length >= batchSize || now - first.since >= windowSeconds * 1000
    if (isDue && !delivery.isLate()) start(waiting.slice(0, batchSize))
  }

  return {
    functionArn,
    shard,
    pending: () => waiting,
    take: (records: readonly StreamRecord[]): void => {
      const since = Date.now()
      for (const record of records) {
        const { pk, sk } = record.dynamodb.Keys
        if (isFollowed(record.eventName, sk.S) && shardOf(pk.S, delivery) === shard) waiting.push({ record, since })
      }
    },
    deliver,
  }
}

/** Follows the table's stream from now on, as Lambda's event source mappings do. */
export const pollStream = (
  url: URL,
  table: string,
  delivery = inOrderDelivery,
  toDeadLetters: (batch: DeadBatch) => void = () => {},
): StreamPoller => {
  const closing = new AbortController()
  let batchers: ReturnType<typeof batcherOf>[] = []
  let iterators: string[] | undefined

  const read = async (ShardIterator: string): Promise<string> => {
    const { Records = [], NextShardIterator = ShardIterator } = (await ask(url, 'GetRecords', { ShardIterator })) as {
      Records?: StreamRecord[]
      NextShardIterator?: string
    }
    for (const batcher of batchers) batcher.take(Records)
    return NextShardIterator
  }

  let begin = (): void => {}
  const begun = new Promise<void>(done => {
    begin = done
  })

  const round = async (): Promise<void> => {
    iterators ??= await newestIterators(url, table)
    begin()
    iterators = await Promise.all(iterators.map(read))
    for (const batcher of batchers) batcher.deliver()
  }

  const poll = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await round().catch(error => {
        // A database that is away for a moment knows afterwards how far the stream was read.
        if (error instanceof Refused) iterators = undefined
      })
      await pause(pollMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  const polling = poll()
  return {
    begun,
    setTargets: targets => {
      const shards = Array.from({ length: delivery.shards }, (_, shard) => shard)
      const before = (target: StreamTarget, shard: number) =>
        batchers.find(one => one.functionArn === target.functionArn && one.shard === shard)?.pending() ?? []
      batchers = targets.flatMap(target =>
        shards.map(shard => batcherOf(target, { pending: before(target, shard), shard, delivery, toDeadLetters })),
      )
    },
    close: async () => {
      closing.abort()
      await polling
    },
  }
}
