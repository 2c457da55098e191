import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ensureTable, startDynamo } from '../../lib/twin/dynamodb/process.ts'
import { afterFile } from './jest/environment.ts'

const tableOf = async (outdir: string): Promise<Record<string, unknown>> => {
  // Loaded here only, because the tests themselves do without them.
  const { App, Stack } = await import('aws-cdk-lib')
  const { Template } = await import('aws-cdk-lib/assertions')
  const { Storage } = await import('../../lib/stack/storage.ts')
  const stack = new Stack(
    new App({ outdir, analyticsReporting: false, builtinCloudFormationValidation: false }),
    'Test',
  )
  new Storage(stack)
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::Table'))
  if (!table) throw new Error('the storage has no table')
  const { StreamSpecification: _, ...properties } = table.Properties
  return properties
}

/** The environment of a process that works on a table of its own, and the table's properties. */
export type TestTable = { environment: Record<string, string>; properties: Record<string, unknown> }

const deleteTable = async ({ TEST_TABLE, AWS_REGION }: TestTable['environment'], TableName: string): Promise<void> => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  const client = new DynamoDBClient({ endpoint: TEST_TABLE ?? '', region: AWS_REGION ?? '', credentials })
  // After the last file DynamoDB may be gone already.
  await client.send(new DeleteTableCommand({ TableName })).catch(() => {})
  client.destroy()
}

/** Creates the table, under a name that no other has, and makes this process work on it. */
export const useTable = async ({ environment, properties }: TestTable): Promise<void> => {
  const name = `test-${randomUUID()}`
  Object.assign(process.env, environment, { TABLE_NAME: name })
  await ensureTable(new URL(environment.TEST_TABLE ?? ''), name, properties)
  afterFile(() => deleteTable(environment, name))
}

/** Starts a DynamoDB without any table. */
export const startTables = async (): Promise<TestTable & { close(): Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-table-'))
  // In memory and without a stream, which nobody follows: a write costs half as much.
  const { url, close } = await startDynamo(undefined)
  return {
    properties: await tableOf(join(folder, 'synth')),
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: url.href,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      STAGE: 'twin',
      TEST_TABLE: url.href,
      // Where tests leave notes.
      TEST_TWIN: folder,
    },
    close: async () => {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
