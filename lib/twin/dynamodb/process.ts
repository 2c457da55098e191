import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { makePrivate } from '../private-files.ts'
import { region } from '../template/resolve.ts'
import { type KeptRunning, keepRunning, type Running } from './keep-running.ts'

/** A DynamoDB on this machine: dynoxide on a data file, or whatever DYNAMODB_ENDPOINT names. */
export type LocalDynamo = KeptRunning & { url: URL }

/** The port asked for, or any (0), once it is known to be free; rejects with EADDRINUSE. */
export const freePort = (wanted = 0): Promise<number> =>
  new Promise((found, failed) => {
    const server = createServer().once('error', failed)
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => found(port))
    })
  })

const binary = (): string => {
  const name = `@dynoxide/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dynoxide')
  } catch {
    throw new Error(`${name} is not installed; set DYNAMODB_ENDPOINT to a DynamoDB Local of your own`)
  }
}

// A twin that is killed must not leave its database behind: however it ends, its end of the pipe closes.
const guarded = 'umask 077; exec 3<&0; (read -r _ <&3; kill -9 $$) & exec "$@" 3<&- </dev/null'

const clientOf = (url: URL) =>
  new DynamoDBClient({
    endpoint: url.href,
    region,
    credentials: { accessKeyId: 'twin', secretAccessKey: 'twin' },
    maxAttempts: 1,
  })

const untilReady = async (url: URL, isGone = () => false): Promise<void> => {
  const client = clientOf(url)
  for (let n = 0; n < 200 && !isGone(); n++) {
    try {
      await client.send(new ListTablesCommand({}))
      return client.destroy()
    } catch {
      await pause(25)
    }
  }
  throw new Error(`no DynamoDB responds at ${url.href}`)
}

/**
 * Gives dynoxide's table of stream records the indexes it lacks. Without them it looks at every record there has ever
 * been to number the next record, so that each write costs more than the previous write: 0.6 ms at first, 3 ms after
 * 10,000.
 */
const indexStream = (file: string): void => {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  try {
    database.exec(`
      CREATE INDEX IF NOT EXISTS stream_by_number ON _stream_records
        (table_name, CAST(sequence_number AS INTEGER));
      CREATE INDEX IF NOT EXISTS stream_by_shard ON _stream_records
        (table_name, shard_id, CAST(sequence_number AS INTEGER));
    `)
  } finally {
    database.close()
  }
}

/** Starts dynoxide on a data file, or in memory, and a port; resolves when it responds. */
const startEngine = async (file: string | undefined, url: URL): Promise<Running> => {
  if (file) for (const ending of ['', '-wal', '-shm']) await makePrivate(file + ending)
  const command = [binary(), '--port', url.port, ...(file ? ['--db-path', file] : [])]
  // In a process group of its own: a Ctrl-C shall stop the twin, and the twin, once it has served what it accepted,
  // this process.
  const child = spawn('sh', ['-c', guarded, 'sh', ...command], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  const ended = once(child, 'exit').then(([code, signal]) => (code === null ? String(signal) : `exit code ${code}`))
  let isGone = false
  ended.then(() => {
    isGone = true
  })
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  try {
    await untilReady(url, () => isGone)
    if (file) indexStream(file)
  } catch (error) {
    await stop('SIGKILL')
    throw error
  }
  return { ended, stop: () => stop('SIGTERM') }
}

export type DynamoOptions = {
  endpoint?: string | undefined
  warn?(message: string): void
}

/**
 * Starts dynoxide on a data file, or in memory without a file, or uses the given endpoint; resolves when it responds. A
 * dynoxide that ends is restarted at the same address; `failed` resolves when that does not help.
 */
export const startDynamo = async (
  file: string | undefined,
  { endpoint = process.env.DYNAMODB_ENDPOINT, warn = () => {} }: DynamoOptions = {},
): Promise<LocalDynamo> => {
  if (endpoint) {
    const url = new URL(endpoint)
    await untilReady(url)
    return { url, failed: new Promise(() => {}), close: async () => {} }
  }
  const url = new URL(`http://127.0.0.1:${await freePort()}`)
  return { url, ...(await keepRunning(() => startEngine(file, url), { name: 'the database', warn })) }
}

type Keys = Pick<CreateTableCommandInput, 'KeySchema' | 'LocalSecondaryIndexes' | 'GlobalSecondaryIndexes'>

const keysOf = ({ KeySchema, LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [] }: Keys): string => {
  const keys = (schema: Keys['KeySchema'] = []) => schema.map(one => `${one.AttributeName} ${one.KeyType}`).sort()
  const indexes = [...LocalSecondaryIndexes, ...GlobalSecondaryIndexes].map(index => [
    index.IndexName,
    keys(index.KeySchema),
  ])
  return JSON.stringify([keys(KeySchema), indexes.sort()])
}

/** Creates the template's table where it is missing. Rejects when there is a table with other keys or indexes. */
export const ensureTable = async (url: URL, name: string, properties: Record<string, unknown>): Promise<void> => {
  const client = clientOf(url)
  const { TableNames = [] } = await client.send(new ListTablesCommand({}))
  if (TableNames.includes(name)) {
    const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: name }))
    if (keysOf(Table as Keys) !== keysOf(properties as Keys)) {
      throw new Error(
        'the table was made by another version: its keys differ; remove the data folder, and it is created again',
      )
    }
  } else {
    const { StreamSpecification, ...given } = properties as unknown as CreateTableCommandInput
    const { AttributeDefinitions, KeySchema, BillingMode, LocalSecondaryIndexes, GlobalSecondaryIndexes } = given
    await client.send(
      new CreateTableCommand({
        TableName: name,
        AttributeDefinitions,
        KeySchema,
        BillingMode,
        // CloudFormation switches a stream on by naming its view; the API wants it said.
        ...(StreamSpecification && { StreamSpecification: { ...StreamSpecification, StreamEnabled: true } }),
        ...(LocalSecondaryIndexes && { LocalSecondaryIndexes }),
        ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }),
      }),
    )
    const ttl = properties.TimeToLiveSpecification as { AttributeName: string; Enabled: boolean } | undefined
    if (ttl) await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification: ttl }))
  }
  client.destroy()
}
