import type { LocalFunction } from '../lambda/function.ts'

/** A function that follows the table, and what it is started for. */
export type Follower = { sortKeys: string[]; batchSize: number; windowSeconds: number; target: LocalFunction }

/** The part of a stream record that filters and handlers look at. */
type StreamRecord = { dynamodb: { Keys: { sk: { S: string } } } }

const pollMilliseconds = 500
const header = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
  // The engine behind the gate reads the header, but checks no signature.
  authorization:
    'AWS4-HMAC-SHA256 Credential=twin/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
}

const ask = async (url: URL, operation: string, body: object): Promise<unknown> => {
  const headers = { ...header, 'x-amz-target': `DynamoDBStreams_20120810.${operation}` }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${operation}: ${await response.text()}`)
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

/** Gathers a follower's records until its batch is full or its window is over, then starts the function. */
const batcher = ({ sortKeys, batchSize, windowSeconds, target }: Follower) => {
  let batch: StreamRecord[] = []
  let since = 0
  return {
    take: (records: readonly StreamRecord[]): void => {
      const wanted = records.filter(({ dynamodb }) => sortKeys.includes(dynamodb.Keys.sk.S))
      if (batch.length === 0 && wanted.length > 0) since = Date.now()
      batch.push(...wanted)
    },
    deliver: async (): Promise<void> => {
      const isDue = batch.length >= batchSize || Date.now() - since >= windowSeconds * 1000
      if (batch.length === 0 || !isDue) return
      const Records = batch.slice(0, batchSize)
      batch = batch.slice(batchSize)
      // A failed batch stands in the log; the twin does not repeat it, as Lambda would.
      await target.invoke({ Records }).catch(() => {})
    },
  }
}

/** Follows the table's stream from now on, as Lambda's event source mappings do. */
export const followStream = (url: URL, table: string, followers: readonly Follower[]): { close(): Promise<void> } => {
  const batchers = followers.map(batcher)
  let closed = false
  let working = Promise.resolve()
  let iterators: string[] | undefined
  const round = async () => {
    iterators ??= await newestIterators(url, table)
    iterators = await Promise.all(
      iterators.map(async ShardIterator => {
        const answer = (await ask(url, 'GetRecords', { ShardIterator })) as {
          Records?: StreamRecord[]
          NextShardIterator?: string
        }
        for (const one of batchers) one.take(answer.Records ?? [])
        return answer.NextShardIterator ?? ShardIterator
      }),
    )
    await Promise.all(batchers.map(one => one.deliver()))
  }
  const turn = () => {
    if (closed) return
    working = round()
      .catch(() => {
        iterators = undefined
      })
      .then(() => {
        if (!closed) setTimeout(turn, pollMilliseconds).unref()
      })
  }
  turn()
  return {
    close: async () => {
      closed = true
      await working
    },
  }
}
