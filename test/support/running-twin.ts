import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { runningTwin, type TwinConnection } from '../../lib/twin/twin-file.ts'
import { childEnvironment } from './child-environment.ts'

/** A twin in a process of its own, as `npm start` runs it. */
export type TwinProcess = {
  child: ChildProcess
  access: TwinConnection
  lines: string[]
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the service on a free port with its data in a folder; resolves when it says that it is ready. */
export const startTwinProcess = async (
  folder: string,
  environment: Record<string, string> = {},
): Promise<TwinProcess> => {
  const child = spawn(process.execPath, ['bin/serve.ts'], {
    // The first twin of a test run builds the bundles, the others run them.
    env: childEnvironment({ PORT: '0', DATA_DIR: folder, BUNDLES: process.env.TEST_BUNDLES, ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let complaints = ''
  child.stderr.on('data', chunk => {
    complaints += chunk
  })
  const exited = new Promise<number | null>(done => child.once('exit', done))
  const ready = new Promise<void>(done => {
    createInterface(child.stdout).on('line', line => {
      lines.push(line)
      if (line.startsWith('ready ')) done()
    })
  })
  const failed = exited.then(code => {
    throw new Error(`the twin stopped with ${code}: ${complaints}`)
  })
  await Promise.race([ready, failed])
  failed.catch(() => {})
  const access = runningTwin(folder)
  if (!access) throw new Error('the twin left no twin.json')
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  return { child, access, lines, stop }
}
