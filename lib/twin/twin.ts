import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { choose, findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { ensureTable, freePort, startDynamo } from './dynamodb/process.ts'
import { startProxy } from './dynamodb/proxy.ts'
import { followStream } from './dynamodb/stream.ts'
import { startGateway } from './gateway/gateway.ts'
import { operator, type Principals, principalsOf } from './iam/principals.ts'
import { type LocalFunction, localFunction } from './lambda/function.ts'
import { startS3 } from './s3/server.ts'
import { sandboxCheckout } from './sandbox/checkout.ts'
import { synthesize } from './template/assembly.ts'
import { type Model, readTemplate } from './template/model.ts'
import { region, tableArn } from './template/resolve.ts'
import { type TwinConnection, twinFile } from './twin-file.ts'

export type TwinOptions = {
  port: number
  /** Where table, objects, log and the synthesized app are kept. */
  folder: string
  bundles?: string
  /** Most instances a function may have at once. */
  maxInstances?: number
}

export type Twin = { connection: TwinConnection; close(): Promise<void> }

type Closable = { close(): Promise<void> }

/** Starts DynamoDB and S3 behind the permission check; answers what an SDK needs to reach them as somebody. */
const startStorage = async (model: Model, principals: Principals, folder: string, opened: Closable[]) => {
  const { secretOf, count } = principals
  const dynamo = await startDynamo(join(folder, 'table.db'))
  opened.push(dynamo)
  await ensureTable(dynamo.url, model.table.name, model.table.properties)
  const gate = await startProxy({
    behind: dynamo.url,
    secretOf,
    arnOf: tableArn,
    allow: principals.mayTable,
    onRequest: count,
    counts: principals.counts,
  })
  opened.push(gate)
  const s3 = await startS3({
    dir: join(folder, 'files'),
    buckets: [model.bucket.name],
    secretOf,
    allow: call => (principals.mayFile(call).allowed ? { allowed: true } : { allowed: false }),
    onRequest: ({ principal, action }) => count(principal, action),
  })
  opened.push(s3)
  const environmentOf = (keyId: string): Record<string, string> => ({
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: keyId,
    AWS_SECRET_ACCESS_KEY: secretOf(keyId) ?? '',
    AWS_ENDPOINT_URL_DYNAMODB: gate.url,
    AWS_ENDPOINT_URL_S3: s3.url,
  })
  return { environmentOf, requests: `${gate.url}/requests`, dynamoUrl: dynamo.url }
}

type FunctionsOptions = {
  model: Model
  environmentOf: (functionName: string) => Record<string, string>
  /** Where the gateway listens, once it does. */
  url: () => string
  assetFolder: (key: string) => string
  log: Writable
  maxInstances: number
}

// What the person at this machine says of a payment provider goes to the functions as it is.
const providerSettings = (): Record<string, string> =>
  Object.fromEntries(
    ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_URL'].flatMap(name => {
      const value = process.env[name]
      return value ? [[name, value]] : []
    }),
  )

const startFunctions = ({
  model,
  environmentOf,
  url,
  assetFolder,
  log,
  maxInstances,
}: FunctionsOptions): Map<string, LocalFunction> =>
  new Map(
    model.functions.map(one => {
      const environment = {
        ...environmentOf(one.name),
        AWS_LAMBDA_FUNCTION_NAME: one.name,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(one.memoryMb),
        ...providerSettings(),
        // Read whenever an instance starts: the port is known only when the gateway listens.
        get SANDBOX_URL() {
          return url()
        },
      }
      return [one.arn, localFunction({ model: one, folder: assetFolder(one.code), environment, log, maxInstances })]
    }),
  )

const closer = (opened: readonly Closable[], folder: string) => async (): Promise<void> => {
  for (const one of opened.toReversed()) await one.close()
  await rm(twinFile(folder), { force: true })
}

/**
 * Starts the whole service on this machine from its synthesized template; resolves when it serves. The sandbox's
 * approve page reads the table as this process, which must act as the operator for it.
 */
export const startTwin = async ({ port, folder, bundles, maxInstances = 4 }: TwinOptions): Promise<Twin> => {
  // Before anything opens the data: a second twin on the same port would share its files.
  await freePort(port)
  await mkdir(folder, { recursive: true })
  const assemblyFolder = join(folder, 'cdk.out')
  await rm(assemblyFolder, { recursive: true, force: true })
  const { template, assetFolder } = synthesize(assemblyFolder, bundles)
  const model = readTemplate(template)
  const principals = principalsOf(model)
  const opened: Closable[] = []
  const close = closer(opened, folder)
  try {
    const { environmentOf, requests, dynamoUrl } = await startStorage(model, principals, folder, opened)
    const log = createWriteStream(join(folder, 'service.log'), { flags: 'a' })
    // Every instance of every function writes to it.
    log.setMaxListeners(0)
    opened.push({ close: () => new Promise(done => log.end(done)) })
    let url = ''
    const keyIdOf = (name: string) => principals.keyIdOf({ name })
    const functions = startFunctions({
      model,
      environmentOf: name => environmentOf(keyIdOf(name)),
      url: () => url,
      assetFolder,
      log,
      maxInstances,
    })
    opened.push(...functions.values())
    const routes = model.routes.flatMap(({ key, functionArn }) => {
      const target = functions.get(functionArn)
      return target ? [{ key, target }] : []
    })
    const followers = model.followers.flatMap(({ functionArn, ...follower }) => {
      const target = functions.get(functionArn)
      return target ? [{ ...follower, target }] : []
    })
    opened.push(followStream(dynamoUrl, model.table.name, followers))
    for (const { functionArn, minutes } of model.timers) {
      const timer = setInterval(
        () =>
          functions
            .get(functionArn)
            ?.invoke({})
            .catch(() => {}),
        minutes * 60_000,
      )
      opened.push({ close: async () => clearInterval(timer) })
    }
    const gateway = await startGateway(port, routes, [sandboxCheckout({ find: findSandboxPayment, choose })])
    opened.push(gateway)
    url = `http://localhost:${gateway.port}`
    const connection: TwinConnection = {
      pid: process.pid,
      url,
      requests,
      table: model.table.name,
      bucket: model.bucket.name,
      environment: environmentOf(operator),
    }
    await writeFile(twinFile(folder), JSON.stringify(connection, null, 2), { mode: 0o600 })
    return { connection, close }
  } catch (error) {
    await close()
    throw error
  }
}
