import { once } from 'node:events'
import { chmod, readdir, stat } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { ensureTable, startDynamo } from '../../lib/twin/dynamodb/process.ts'
import { pollStream } from '../../lib/twin/dynamodb/stream.ts'
import { killDatabase } from '../support/database-process.ts'
import { onEngine } from '../support/on-engine.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
const opened: { close(): Promise<void> }[] = []
beforeEach(() => {
  folder = temporaryFolder('database')
})
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close()
})

const warnings: string[] = []
const start = async () => {
  const warn = (message: string) => warnings.push(message)
  const dynamo = await startDynamo(join(folder, 'table.db'), { endpoint: '', warn })
  opened.push(dynamo)
  return dynamo
}

const key = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' })
const properties = {
  AttributeDefinitions: [key('pk'), key('sk')],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  BillingMode: 'PAY_PER_REQUEST',
  StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
}

/** Writes an item; tries again while the database is away. */
const writerOf = (url: URL) => {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  const client = new DynamoDBClient({ endpoint: url.href, region: 'eu-central-1', credentials, maxAttempts: 30 })
  opened.push({ close: async () => client.destroy() })
  return async (pk: string) => {
    await client.send(new PutItemCommand({ TableName: 'kept', Item: { pk: { S: pk }, sk: { S: 'version' } } }))
  }
}

type Records = { Records: { dynamodb: { Keys: { pk: { S: string } } } }[] }

/** Collects the keys of stream records, and waits for one. */
const followed = (url: URL) => {
  const keys: string[] = []
  let awaited: { pk: string; done: () => void } | undefined
  const invoke = async (event: unknown) => {
    keys.push(...(event as Records).Records.map(({ dynamodb }) => dynamodb.Keys.pk.S))
    if (awaited && keys.includes(awaited.pk)) awaited.done()
  }
  const stream = pollStream(url, 'kept')
  const target = { invoke, renew: () => {}, close: async () => {} }
  stream.setTargets([
    {
      functionArn: 'a',
      sortKeys: ['version'],
      prefixes: [],
      eventNames: ['INSERT', 'MODIFY'],
      batchSize: 10,
      windowSeconds: 0,
      retries: 0,
      oldestSeconds: 60,
      target,
    },
  ])
  opened.push(stream)
  const untilReported = (pk: string) =>
    new Promise<void>(done => {
      awaited = { pk, done }
      if (keys.includes(pk)) done()
    })
  return { keys, untilReported }
}

onEngine(
  'a database that is killed comes back at its address with its data, and its stream goes on without a gap',
  async () => {
    const { url } = await start()
    await ensureTable(url, 'kept', properties)
    const write = writerOf(url)
    const { keys, untilReported } = followed(url)
    // The stream is followed from some moment on.
    for (let n = 0; keys.length === 0; n++) await write(`early${n}`)
    for (const pk of ['one', 'two']) {
      killDatabase(folder)
      await write(pk)
      await untilReported(pk)
    }
    expect(keys.filter(pk => !pk.startsWith('early'))).toEqual(['one', 'two'])
    expect(warnings).toEqual(Array(2).fill('the database ended (SIGKILL) and is started again'))
  },
)

/** The way to a database, which can be cut; `tried` is called for each request that does not get through. */
const wayTo = async (url: URL) => {
  const way = { isCut: false, tried: () => {} }
  const server = createServer((incoming, response) => {
    if (way.isCut) {
      incoming.destroy()
      return way.tried()
    }
    const { method, headers } = incoming
    incoming.pipe(
      request(url, { method, headers, agent: false }, reply => {
        response.writeHead(reply.statusCode ?? 0, reply.headers)
        reply.pipe(response)
      }),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  opened.push({
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  })
  const { port } = server.address() as AddressInfo
  return { way, url: new URL(`http://127.0.0.1:${port}`) }
}

onEngine('a write while the stream cannot be read is delivered afterwards', async () => {
  const { url } = await start()
  await ensureTable(url, 'kept', properties)
  const write = writerOf(url)
  const { way, url: through } = await wayTo(url)
  const { keys, untilReported } = followed(through)
  for (let n = 0; keys.length === 0; n++) await write(`early${n}`)
  way.isCut = true
  await new Promise<void>(done => {
    way.tried = done
  })
  await write('missed')
  way.isCut = false
  await untilReported('missed')
})

onEngine('nobody but its owner reads the data file and its siblings, those of an earlier start included', async () => {
  const modes = async () => {
    const names = (await readdir(folder)).filter(name => name.startsWith('table.db')).toSorted()
    const stats = await Promise.all(names.map(name => stat(join(folder, name))))
    return names.map((name, n) => `${name} ${((stats[n]?.mode ?? 0) & 0o777).toString(8)}`)
  }
  const first = await start()
  await ensureTable(first.url, 'kept', properties)
  const all = ['table.db 600', 'table.db-shm 600', 'table.db-wal 600']
  expect(await modes()).toEqual(all)
  await first.close()
  await chmod(join(folder, 'table.db'), 0o644)
  const second = await start()
  await ensureTable(second.url, 'kept', properties)
  expect(await modes()).toEqual(all)
})
