import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { watch } from 'chokidar'
import { program, restartsFor } from '../lib/twin/build/inputs.ts'
import { pathBelow, root } from '../lib/twin/build/sources.ts'

const watched = ['lib', program, 'package-lock.json', 'cdk.json', 'tsconfig.json']

let service: ChildProcess | undefined
let needsRestart = (_file: string): boolean => true
let starting = Promise.resolve()
let timer: NodeJS.Timeout | undefined

const stop = async (): Promise<void> => {
  if (!service || service.exitCode !== null || service.signalCode !== null) return
  const exited = once(service, 'exit')
  service.kill()
  await exited
}

const start = async (): Promise<void> => {
  // The service itself reports errors that prevent its start.
  needsRestart = await restartsFor().catch(() => needsRestart)
  await stop()
  service = spawn(process.execPath, [...process.execArgv, program, '--watch'], { cwd: root, stdio: 'inherit' })
}

const restart = (): void => {
  starting = starting.then(start)
}

watch(
  watched.map(path => join(root, path)),
  { ignoreInitial: true },
).on('all', (_, path) => {
  if (!needsRestart(pathBelow(root, path))) return
  clearTimeout(timer)
  // Files saved together are one change.
  timer = setTimeout(restart, 50)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(0)))
restart()
