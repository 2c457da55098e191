import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Storage } from '../../lib/stack/storage.ts'
import { ensureTable, startDynamo } from '../../lib/twin/dynamodb/process.ts'

const name = 'test'

const tableOf = (outdir: string): Record<string, unknown> => {
  const stack = new Stack(new App({ outdir, analyticsReporting: false }), 'Test')
  new Storage(stack)
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::Table'))
  if (!table) throw new Error('the storage has no table')
  return table.Properties
}

/** A DynamoDB with the stack's table and nothing else: what a process needs in its environment to work on it. */
export const startTable = async (): Promise<{ environment: Record<string, string>; close(): Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-table-'))
  const { url, close } = await startDynamo(join(folder, 'table.db'))
  await ensureTable(url, name, tableOf(join(folder, 'synth')))
  return {
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: url.href,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      TABLE_NAME: name,
      STAGE: 'twin',
      POWERTOOLS_LOG_LEVEL: 'SILENT',
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
