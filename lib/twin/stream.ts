import type { LocalFunction } from './lambda.ts'

/** A function that follows the table, and what it is started for. */
export type Follower = { sortKeys: string[]; batchSize: number; target: LocalFunction }

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

const deliver = async (records: readonly StreamRecord[], followers: readonly Follower[]): Promise<void> => {
  for (const { sortKeys, batchSize, target } of followers) {
    const wanted = records.filter(({ dynamodb }) => sortKeys.includes(dynamodb.Keys.sk.S))
    for (let at = 0; at < wanted.length; at += batchSize) {
      // A failed batch stands in the log; the twin does not repeat it, as Lambda would.
      await target.invoke({ Records: wanted.slice(at, at + batchSize) }).catch(() => {})
    }
  }
}

/** Follows the table's stream from now on, as Lambda's event source mappings do. */
export const followStream = (url: URL, table: string, followers: readonly Follower[]): { close(): Promise<void> } => {
  let closed = false
  let working = Promise.resolve()
  let iterators: string[] | undefined
  const round = async () => {
    iterators ??= await newestIterators(url, table)
    iterators = await Promise.all(
      iterators.map(async ShardIterator => {
        const answer = (await ask(url, 'GetRecords', { ShardIterator })) as { Records?: StreamRecord[]; NextShardIterator?: string }
        await deliver(answer.Records ?? [], followers)
        return answer.NextShardIterator ?? ShardIterator
      }),
    )
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
