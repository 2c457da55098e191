import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { backup, DatabaseSync } from 'node:sqlite'
import { findTwin, type TwinConnection } from '../../lib/twin/twin-file.ts'
import { childEnvironment } from './child-environment.ts'

/** A twin in a process of its own, as `npm start` runs it. */
export type TwinProcess = {
  child: ChildProcess
  connection: TwinConnection
  /** Its lines on stdout so far. */
  lines: string[]
  /** Its text on stderr so far. */
  errors(): string
  /** Returns its exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

export type TwinProcessOptions = {
  environment?: Record<string, string>
  /** The checkout it runs from; this one by default. */
  checkout?: string
  /** The script that Node runs; `bin/serve.ts` by default. */
  program?: string
  flags?: string[]
  /** False for a start that is refused before it needs what the first twin built. */
  isSeeded?: boolean
}

/** Copies what the first twin of a test run built, so that another twin of the same sources builds nothing. */
export const seedBuild = async (folder: string): Promise<void> => {
  const { TEST_TWIN } = process.env
  const build = join(folder, 'build')
  if (TEST_TWIN && TEST_TWIN !== folder && !existsSync(build))
    await cp(join(TEST_TWIN, 'build'), build, { recursive: true })
}

/** Copies what a data folder holds besides what is built. The jobs of a running twin may be writing to it. */
export const copyData = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true })
  const table = new DatabaseSync(join(from, 'table.db'), { readOnly: true })
  // In one step: a copy of the file and then of its log may contain neither what was moved between them.
  await backup(table, join(to, 'table.db'), { rate: 1_000_000 })
  table.close()
  const filter = (path: string) => !path.includes('.unfinished')
  for (const name of ['files', 'demo.json'].filter(one => existsSync(join(from, one))))
    await cp(join(from, name), join(to, name), { recursive: true, filter })
}

/**
 * Invokes a function of a twin and waits for it; returns the message of the error that it failed with. Acts as the operator of
 * this process.
 */
export const invokeOn = async (
  { connection }: Pick<TwinProcess, 'connection'>,
  name: string,
  event: object = {},
): Promise<string | undefined> => {
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda')
  const lambda = new LambdaClient({ maxAttempts: 1 })
  const call = new InvokeCommand({ FunctionName: connection.functions[name], Payload: JSON.stringify(event) })
  const { FunctionError, Payload } = await lambda.send(call)
  lambda.destroy()
  return FunctionError && JSON.parse(Buffer.from(Payload ?? []).toString()).errorMessage
}

/** Starts the service on a free port with its data in a folder; resolves when it says that it is ready. */
export const startTwinProcess = async (
  folder: string,
  {
    environment = {},
    checkout = process.cwd(),
    program = 'bin/serve.ts',
    flags = [],
    isSeeded = true,
  }: TwinProcessOptions = {},
): Promise<TwinProcess> => {
  if (isSeeded) await seedBuild(folder)
  const child = spawn(process.execPath, [program, ...flags], {
    cwd: checkout,
    // The start of an instance costs more than what most tests ask of it; the long runs have many.
    env: childEnvironment({
      PORT: '0',
      DATA_DIR: folder,
      INSTANCES: process.env.TEST_INSTANCES ?? '2',
      ALL_INSTANCES: '500',
      ...environment,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const exited = new Promise<number | NodeJS.Signals>(done =>
    child.once('exit', (code, signal) => done(code ?? signal ?? 'SIGKILL')),
  )
  const ready = new Promise<void>(done => {
    createInterface(child.stdout).on('line', line => {
      lines.push(line)
      if (line.startsWith('ready ')) done()
    })
  })
  const failed = exited.then(code => {
    throw new Error(`the twin stopped with ${code}: ${errors}`)
  })
  await Promise.race([ready, failed])
  failed.catch(() => {})
  const connection = await findTwin(folder)
  if (!connection) throw new Error('the twin left no twin.json')
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  return { child, connection, lines, errors: () => errors, stop }
}
