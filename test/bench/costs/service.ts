import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { Context } from 'aws-lambda'
import { ensureTable } from '../../../lib/twin/dynamodb/process.ts'
import { startS3 } from '../../../lib/twin/s3/server.ts'
import type { Job } from '../../../shared/contract/jobs.ts'
import type { Route } from '../../../shared/contract/route.ts'
import type { Key } from '../../../shared/platform/table/keys.ts'
import { tableClient } from '../../../shared/platform/table/table.ts'
import { serveInProcess } from '../../support/in-process.ts'
import type { Resources } from '../../support/synthesized.ts'
import { startTables } from '../../support/table.ts'
import { noUsage, type Usage } from './month.ts'
import { accessLine, functionIn } from './stack.ts'

// An estimate until it is measured on AWS: the milliseconds that a function waits for an answer of the table, and of
// S3, the bus or Lambda.
const waits = { table: 5, others: 20 }

// With this many MB a function has one processor, with less a share of one.
const memoryOfOneProcessor = 1769

let usage = noUsage()
let waitedMs = 0

type Consumption = { ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[] }

const countUnits = (): void =>
  tableClient.middlewareStack.add(
    (next, { commandName }) =>
      async args => {
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
        const consumed = [(result.output as Consumption).ConsumedCapacity ?? []].flat()
        const isRead = /^(Get|BatchGet|Query)/.test(String(commandName))
        waitedMs += waits.table
        usage[isRead ? 'reads' : 'writes'] += consumed.reduce((all, { CapacityUnits = 0 }) => all + CapacityUnits, 0)
        return result
      },
    { step: 'initialize', name: 'units' },
  )

/** Counts the log from now on; the returned function prints without being counted. */
const countLogs = (): ((text: string) => void) => {
  // Outside Lambda no metrics are written.
  process.env.AWS_LAMBDA_FUNCTION_NAME = 'bench'
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = ((text: string) => {
    usage.logBytes += Buffer.byteLength(text)
    return true
  }) as never
  return text => write(text)
}

/** Replaces the event bus, and Lambda where a function starts another: both accept everything. */
const startOthers = async () => {
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming)
    waitedMs += waits.others
    if (!incoming.headers['x-amz-target']) return response.writeHead(202).end()
    const { Entries = [] } = JSON.parse(body.toString()) as { Entries?: unknown[] }
    usage.events += Entries.length
    response.end(JSON.stringify({ FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: 'e' })) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

type Sent = { path?: string; body?: object; token?: string }

/** The functions in this process, on a table, a bucket and a bus that count requests. */
export const startService = async (resources: Resources) => {
  const tables = await startTables()
  const { environment, properties } = tables
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-costs-'))
  const s3 = await startS3({
    folder,
    buckets: ['bench'],
    secretOf: () => 'test',
    allows: () => true,
    onRequest: ({ action }) => {
      waitedMs += waits.others
      usage[action === 's3:GetObject' ? 's3Reads' : 's3Writes']++
    },
  })
  const others = await startOthers()
  const url = `http://127.0.0.1:${(others.address() as AddressInfo).port}`
  Object.assign(process.env, environment, {
    TABLE_NAME: 'bench',
    BUCKET_NAME: 'bench',
    AWS_ENDPOINT_URL_S3: s3.url,
    EVENT_BUS_NAME: 'bench',
    AWS_ENDPOINT_URL_EVENTBRIDGE: url,
    STARTED_FUNCTION_NAME: 'started',
    AWS_ENDPOINT_URL_LAMBDA: url,
  })
  await ensureTable(new URL(environment.TEST_TABLE ?? ''), 'bench', properties)
  countUnits()

  /** Runs a function and bills it: the CPU time it takes here, divided by its share of a processor, and its waits. */
  const billed = async <T>(description: string, run: () => Promise<T>, { isWaiting = true } = {}): Promise<T> => {
    const { memory, platformBytes } = functionIn(resources, description)
    const [used, waited] = [process.cpuUsage(), waitedMs]
    const result = await run()
    const { user, system } = process.cpuUsage(used)
    const cpuMs = (user + system) / 1000
    const ms = cpuMs * Math.max(1, memoryOfOneProcessor / memory) + (isWaiting ? waitedMs - waited : 0)
    usage.cpuMs += cpuMs
    usage.starts++
    usage.gbSeconds += (ms / 1000) * (memory / 1024)
    usage.logBytes += platformBytes
    return result
  }

  const { url: api, close } = await serveInProcess((route, run) => billed(`${route.path}: ${route.summary}`, run))
  const say = countLogs()

  /** Sends a request, and counts it. Returns the JSON of its answer. Throws when it is refused. */
  const send = async (route: Route, { path = route.path, body, token }: Sent) => {
    const method = body ? 'POST' : 'GET'
    const headers = {
      'accept-encoding': 'gzip',
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    // A separate connection, so that all its bytes are the response.
    const outgoing = request(api + path, { method, headers, agent: false }).end(body && JSON.stringify(body))
    const [response] = await once(outgoing, 'response')
    const received = await buffer(response)
    const bytes = response.headers['content-encoding'] === 'gzip' ? gunzipSync(received) : received
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${bytes}`)
    usage.requests++
    usage.gzippedBytes += response.socket.bytesRead
    usage.sentBytes += response.socket.bytesRead - received.length + bytes.length
    usage.logBytes += accessLine(resources, {
      ...{ httpMethod: method, routeKey: `ANY ${route.path}`, path, status: 200 },
      responseLength: received.length,
    }).length
    return body ? JSON.parse(bytes.toString()) : undefined
  }

  const start = async ({ file, timeout }: Job, event: object): Promise<void> => {
    const { handler } = await import(`../../../functions/${file}.ts`)
    await handler(event, { getRemainingTimeInMillis: () => timeout * 1000 } as Context)
  }

  /** Runs a job that a change starts, and counts it. */
  const run = (job: Job, event: object): Promise<void> => billed(job.summary, () => start(job, event))

  /** Runs a job as its timer does. Its requests of many merchants run at the same time: it seldom waits. */
  const runTimed = (job: Job): Promise<void> => billed(job.summary, () => start(job, {}), { isWaiting: false })

  /** Reads an item as any function might: the measure of the CPU of all others. */
  const readPlainly = async ({ pk, sk }: Key): Promise<void> => {
    const used = process.cpuUsage()
    await tableClient.send(new GetCommand({ TableName: 'bench', Key: { pk, sk } }))
    const { user, system } = process.cpuUsage(used)
    usage.cpuMs += (user + system) / 1000
  }

  /** Returns the usage of an action. */
  const counted = async (act: () => Promise<unknown>): Promise<Usage> => {
    usage = noUsage()
    await act()
    return { ...usage }
  }

  return {
    say,
    send,
    run,
    runTimed,
    readPlainly,
    counted,
    close: async (): Promise<void> => {
      tableClient.destroy()
      await close()
      others.closeAllConnections()
      others.close()
      await s3.close()
      await tables.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Service = Awaited<ReturnType<typeof startService>>
