import {
  DescribeTableCommand,
  DynamoDBClient,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { indexAttribute, indexName } from './keys.ts'

/** A table cannot be used by the service; the message has the reason. */
export class UnsuitableTable extends Error {}

const keysOf = (schema: TableDescription['KeySchema']): string =>
  (schema ?? []).map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`).join(', ')

const misfitOf = ({ KeySchema, LocalSecondaryIndexes = [] }: TableDescription): string | undefined => {
  if (keysOf(KeySchema) !== 'pk HASH, sk RANGE') return `its key is ${keysOf(KeySchema)}, not pk and sk`
  const index = LocalSecondaryIndexes.find(({ IndexName }) => IndexName === indexName)
  const isOurs = keysOf(index?.KeySchema) === `pk HASH, ${indexAttribute} RANGE`
  return isOurs && index?.Projection?.ProjectionType === 'ALL' ? undefined : `it lacks the local index ${indexName}`
}

const maxSeconds = 600

const describe = async (client: DynamoDBClient, TableName: string): Promise<TableDescription> => {
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }))
  return Table
}

/**
 * Restores the settings that a restore omits: stream, deletion protection, expiry of items, and backups. Idempotent. Returns
 * the ARN of the stream. Throws UnsuitableTable for a table with another schema.
 */
export const prepareRestoredTable = async (TableName: string, client = new DynamoDBClient({})): Promise<string> => {
  await waitUntilTableExists({ client, maxWaitTime: maxSeconds, minDelay: 1, maxDelay: 10 }, { TableName })
  const found = await describe(client, TableName)
  const misfit = misfitOf(found)
  if (misfit) throw new UnsuitableTable(`${TableName} is no table of the service: ${misfit}`)
  const { StreamSpecification: stream, DeletionProtectionEnabled } = found
  if (stream?.StreamEnabled && stream.StreamViewType !== 'KEYS_ONLY')
    throw new UnsuitableTable(
      `${TableName} has a stream of ${stream.StreamViewType}; switch it off, and call this again`,
    )
  if (!stream?.StreamEnabled || !DeletionProtectionEnabled) {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } as const
    const isNew = !stream?.StreamEnabled
    await client.send(
      new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true, ...(isNew && { StreamSpecification }) }),
    )
    await waitUntilTableExists({ client, maxWaitTime: maxSeconds, minDelay: 1, maxDelay: 10 }, { TableName })
  }
  await expire(client, TableName)
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  )
  const { LatestStreamArn } = await describe(client, TableName)
  if (LatestStreamArn) return LatestStreamArn
  throw new UnsuitableTable(`${TableName} has no stream yet; call this again in a minute`)
}

const expire = async (client: DynamoDBClient, TableName: string): Promise<void> => {
  try {
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
      }),
    )
  } catch (error) {
    // DynamoDB refuses to enable it twice.
    if (!/already enabled/i.test((error as Error).message)) throw error
  }
}
