import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { choose, findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { type Build, openBuild } from './build/build.ts'
import { type Bundler, openBundler } from './build/bundler.ts'
import { type DeadBatch, deadLetters } from './dynamodb/dead-letters.ts'
import { ensureTable, freePort, startDynamo } from './dynamodb/process.ts'
import { type Answer, startProxy } from './dynamodb/proxy.ts'
import { pollStream, type StreamDelivery } from './dynamodb/stream.ts'
import { startEventBridge } from './events/server.ts'
import { eventStore } from './events/store.ts'
import { type Gateway, type GatewayRoute, type Page, startGateway } from './gateway/gateway.ts'
import { accessKeyIdOf, createPrincipals, operator, type Principals } from './iam/principals.ts'
import { type Deployments, localDeployments } from './lambda/deployments.ts'
import { type FunctionsOptions, localFunctions } from './lambda/functions.ts'
import { startSchedules } from './lambda/schedules.ts'
import { startLambda } from './lambda/server.ts'
import { lockFolder } from './lock.ts'
import { openLog } from './log.ts'
import { makePrivateFolder } from './private-files.ts'
import { startS3 } from './s3/server.ts'
import { sandboxCheckout } from './sandbox/checkout.ts'
import { sandboxEvents } from './sandbox/events.ts'
import { startParameterStore } from './ssm/server.ts'
import { type Model, readTemplate } from './template/model.ts'
import { region, tableArn, twinStage } from './template/resolve.ts'
import type { Template } from './template/template.ts'
import { removeConnection, type TwinConnection, writeConnection } from './twin-file.ts'

export type TwinOptions = {
  port: number
  /** Folder of table, objects, log and build; one twin at a time holds it. */
  folder: string
  /** A folder of bundles to run in place of those built from the sources. */
  bundles?: string
  /** Limit of each function. */
  maxInstances?: number
  /** Limit of all functions together: an instance takes some 20 MB, more as it works. */
  maxAllInstances?: number
  /** Runs functions on their schedules; true by default. */
  timers?: boolean
  /** For tests: reads and a stream delivery that are weaker than the engine's. */
  weakConsistency?: { answer: Answer; delivery: StreamDelivery }
  /** `together`: the template has `-c leadingKeys=together`, and IAM evaluates transactions so that they need it. */
  leadingKeys?: string
  /** Follows the sources: changes are built and served while the twin runs. */
  watch?: { say(line: string): void; fail(message: string): void }
  warn?(message: string): void
}

/** A running twin; `failed` resolves when it cannot continue and has to be closed. */
export type Twin = {
  connection: TwinConnection
  failed: Promise<Error>
  /** Serves a page beside the service's routes. */
  addPage(page: Page): void
  close(): Promise<void>
}

type Closable = { close(): Promise<void> }

/**
 * Starts DynamoDB, S3, EventBridge and Parameter Store behind the permission check; returns what an SDK needs to reach
 * them with the credentials of a caller.
 */
const startStorage = async (
  { table, bucket }: Model,
  principals: Principals,
  {
    folder,
    answer,
    together,
    warn,
  }: { folder: string; answer: Answer | undefined; together: boolean; warn(message: string): void },
  opened: Closable[],
) => {
  const { secretOf, count, counts, allows, allowsFile } = principals
  const dynamo = await startDynamo(join(folder, 'table.db'), { warn })
  opened.push(dynamo)
  await ensureTable(dynamo.url, table.name, table.properties)
  const callers = { secretOf, allows, onRequest: count }
  const proxy = await startProxy({ ...callers, upstream: dynamo.url, arnOf: tableArn, counts, answer, together })
  opened.push(proxy)
  const files = join(folder, 'files')
  await makePrivateFolder(files)
  const s3 = await startS3({
    folder: files,
    buckets: [bucket.name],
    expiry: bucket.expiry,
    secretOf,
    allows: allowsFile,
    onRequest: ({ principal, action }) => count(principal, action),
  })
  opened.push(s3)
  const eventBridge = await startEventBridge({ ...callers, append: eventStore(folder).append })
  opened.push(eventBridge)
  const parameters = await startParameterStore({ ...callers, folder })
  opened.push(parameters)
  const environmentOf = (accessKeyId: string): Record<string, string> => ({
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretOf(accessKeyId) ?? '',
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: eventBridge.url,
    AWS_ENDPOINT_URL_SSM: parameters.url,
  })
  return { environmentOf, requests: `${proxy.url}/requests`, dynamo }
}

type ServiceOptions = {
  dynamoUrl: URL
  table: string
  timers: boolean
  delivery: StreamDelivery | undefined
  toDeadLetters(batch: DeadBatch): void
}

/** The parts of a template besides storage; a changed template may be applied while the service runs. */
const openService = (
  options: FunctionsOptions,
  { dynamoUrl, table, timers, delivery, toDeadLetters }: ServiceOptions,
  opened: Closable[],
) => {
  const functions = localFunctions(options)
  const stream = pollStream(dynamoUrl, table, delivery, toDeadLetters)
  const schedules = startSchedules()
  opened.push(functions, stream, schedules)
  const withTarget = <T extends { functionArn: string }>(all: readonly T[]) =>
    all.flatMap(one => {
      const target = functions.get(one.functionArn)
      return target ? [{ ...one, target }] : []
    })
  const apply = (model: Model): GatewayRoute[] => {
    functions.apply(model.functions)
    stream.setTargets(withTarget(model.eventSources))
    if (timers) schedules.set(withTarget(model.schedules))
    return withTarget(model.routes)
  }
  return { renew: functions.renew, get: functions.get, apply, following: stream.begun }
}

type Running = {
  bundler: Bundler
  principals: Principals
  service: ReturnType<typeof openService>
  deployments: Deployments
  gateway: Gateway
  model: Model
}

/** Serves what changes in the sources from the moment it is built. Returns how to stop. */
const followSources = async (
  build: Build,
  say: (line: string) => void,
  { bundler, principals, service, deployments, gateway, model }: Running,
): Promise<() => Promise<void>> => {
  const templateMade = (template: Template) => {
    const changed = readTemplate(template)
    principals.apply(changed)
    gateway.setRoutes(service.apply(changed))
    deployments.apply(changed.customResources)
    if (JSON.stringify(changed.table) !== JSON.stringify(model.table))
      say('the table stays as it was created; remove the data folder, and it is created again')
  }
  const { watchSources } = await import('./build/watch.ts')
  return watchSources(build, bundler, { templateMade, say })
}

const warnOnStderr = (message: string): void => {
  process.stderr.write(`${message}\n`)
}

/** Puts the parts together; whatever has to be closed in the end is in `opened`, the last first. */
const start = async (
  {
    port,
    folder,
    bundles,
    maxInstances = 4,
    maxAllInstances = 48,
    timers = true,
    weakConsistency,
    leadingKeys,
    watch,
    warn = warnOnStderr,
  }: TwinOptions,
  opened: Closable[],
): Promise<Omit<Twin, 'close'>> => {
  opened.push(await lockFolder(folder))
  await freePort(port)
  const build = await openBuild(join(folder, 'build'), { leadingKeys })
  const model = readTemplate(build.template())
  const principals = createPrincipals()
  principals.apply(model)
  const { environmentOf, requests, dynamo } = await startStorage(
    model,
    principals,
    { folder, answer: weakConsistency?.answer, together: leadingKeys === 'together', warn },
    opened,
  )
  // Functions start when they are asked; by then the gateway listens.
  let url = ''
  let lambdaUrl = ''
  const awsOf = (accessKeyId: string) => ({ ...environmentOf(accessKeyId), AWS_ENDPOINT_URL_LAMBDA: lambdaUrl })
  const log = await openLog(join(folder, 'service.log'), warn)
  opened.push({ close: () => new Promise(done => log.end(done)) })
  const bundler = openBundler(build, {
    bundleMade: name => service.renew(name),
    // The bundler holds on to all it has read. Where the sources change, it is needed again soon.
    ...(watch ? { say: watch.say } : { rest: build.close }),
    fail: watch?.fail ?? warn,
  })
  opened.push(bundler)
  if (!bundles) bundler.refresh()
  const functions = {
    environmentOf: (name: string) => ({ ...awsOf(accessKeyIdOf(name)), BASE_URL: url, SANDBOX_URL: url }),
    bundleFolder: (name: string) => (bundles ? join(bundles, name) : build.bundleFolder(name)),
    compiled: join(folder, 'compiled'),
    log,
    maxInstances,
    maxAllInstances,
    prepare: bundler.prepare,
  }
  const { secretOf, allows, count } = principals
  const toDeadLetters = deadLetters({ allows, count, log })
  const place = { dynamoUrl: dynamo.url, table: model.table.name }
  const service = openService(
    functions,
    { ...place, timers, delivery: weakConsistency?.delivery, toDeadLetters },
    opened,
  )
  const lambda = await startLambda({ find: service.get, secretOf, allows, onRequest: count })
  opened.push(lambda)
  lambdaUrl = lambda.url
  const events = sandboxEvents(() => url)
  const pages = [sandboxCheckout({ find: findSandboxPayment, choose, sendEvent: events.sendEvent }), events.page]
  const gateway = await startGateway(port, service.apply(model), pages)
  // Before anything else is awaited: the first request may be there, and its function keeps the url it starts with.
  url = `http://localhost:${gateway.port}`
  opened.push(gateway, events)
  await service.following
  const deployments = localDeployments({ folder, find: service.get, warn })
  opened.push(deployments)
  // Nobody waits for it: searches are right without, and slower for a moment.
  deployments.apply(model.customResources)
  if (watch) {
    const close = await followSources(build, watch.say, { bundler, principals, service, deployments, gateway, model })
    opened.push({ close })
  }
  const connection = {
    pid: process.pid,
    url,
    requests,
    stage: twinStage,
    table: model.table.name,
    bucket: model.bucket.name,
    functions: Object.fromEntries(model.functions.map(({ bundle, name }) => [bundle, name])),
    environment: awsOf(operator),
  }
  return { connection, failed: dynamo.failed, addPage: gateway.addPage }
}

/**
 * Starts the whole service on this machine from its synthesized template; resolves when it serves. Rejects when the
 * port or the folder is taken, and when something cannot be built. The sandbox's approve page reads the table as this
 * process, which must act as the operator for it.
 */
export const startTwin = async (options: TwinOptions): Promise<Twin> => {
  const { folder } = options
  const opened: Closable[] = []
  const close = async (): Promise<void> => {
    for (const one of opened.toReversed()) await one.close()
  }
  try {
    // A folder that is there already may hold more than the twin's own.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { connection, ...running } = await start(options, opened)
    opened.push({ close: () => removeConnection(folder, connection) })
    await writeConnection(folder, connection)
    return { connection, ...running, close }
  } catch (error) {
    await close()
    throw error
  }
}
