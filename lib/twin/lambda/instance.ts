import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { FunctionModel } from '../template/model.ts'

export type InstanceOptions = {
  model: FunctionModel
  folder: string
  environment: Record<string, string>
  /** The folder where instances find the code that earlier instances compiled; without it, each compiles its own. */
  compiled?: string
  log: Writable
}

/** An invocation: an event as JSON, and how many milliseconds the handler has from now. */
export type Invocation = { id: number; event: string; timeout: number }

/** A message of the worker: that the function is loaded, once, then an outcome for each invocation. */
export type Report = { ready: true } | { ready?: undefined; id: number; result?: string | undefined; error?: string }

/** One instance of a function: a worker that loads the bundle once and serves one event at a time. */
export type Instance = {
  /** The handler's value for an event, both as JSON; rejects when the function failed, timed out or returned too much. */
  run(event: string): Promise<string | undefined>
  /** False once it timed out, crashed or was closed; then it serves no more. */
  isAlive(): boolean
  /** Resolves when it has loaded its bundle, if it ever does. */
  loaded: Promise<void>
  exited: Promise<void>
  close(): Promise<void>
}

// 6 MB in AWS's documents: of the whole value as JSON, in which a body of JSON is escaped once more.
const maxResponseBytes = 6_291_556
// Loading does not count as the function's time; on a busy machine many functions may load at once.
const loadMs = 25_000

const checkSize = (result: string | undefined): void => {
  const bytes = Buffer.byteLength(result ?? '')
  if (bytes <= maxResponseBytes) return
  throw new Error(
    `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${maxResponseBytes} bytes).`,
  )
}

export const startInstance = ({ model, folder, environment, compiled, log }: InstanceOptions): Instance => {
  const [file = 'index', exportName = 'handler'] = model.handler.split('.')
  const worker = new Worker(join(import.meta.dirname, 'worker.mjs'), {
    workerData: { bundle: join(folder, `${file}.mjs`), exportName, functionArn: model.arn, compiled },
    env: { ...environment, ...model.environment },
    resourceLimits: { maxOldGenerationSizeMb: model.memoryMb },
    stdout: true,
    stderr: true,
  })
  worker.stdout.pipe(log, { end: false })
  worker.stderr.pipe(log, { end: false })
  const timeout = model.timeoutSeconds * 1000
  const loaded = Promise.withResolvers<void>()
  let isLoaded = false
  let isAlive = true
  let events = 0
  let fail: (error: Error) => void = () => {}

  const say = (line: string) => log.write(`${line}\n`)
  const end = (error: Error): void => {
    isAlive = false
    fail(error)
  }
  // An instance may also die while nobody waits for it; then it must neither be used again nor take the twin along.
  worker.on('error', error => {
    say(error.message)
    end(error)
  })
  const exited = new Promise<void>(done => {
    worker.on('exit', code => {
      const message = `the function exited with code ${code}`
      if (isAlive) say(message)
      end(new Error(message))
      done()
    })
  })

  worker.on('message', ({ ready }: Report) => {
    if (!ready) return
    isLoaded = true
    loaded.resolve()
  })

  const run = async (event: string): Promise<string | undefined> => {
    const id = ++events
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
    fail = reject
    const limit = (milliseconds: number) =>
      setTimeout(() => {
        const message = `Task timed out after ${milliseconds / 1000} seconds`
        say(message)
        end(new Error(message))
        worker.terminate()
      }, milliseconds)
    let timer = limit(isLoaded ? timeout : loadMs)
    const listen = (report: Report): void => {
      if (report.ready) {
        clearTimeout(timer)
        timer = limit(timeout)
      } else if (report.id === id) {
        if (report.error === undefined) resolve(report.result)
        else reject(new Error(report.error))
      }
    }
    worker.on('message', listen)
    worker.postMessage({ id, event, timeout } satisfies Invocation)
    try {
      const result = await promise
      checkSize(result)
      return result
    } finally {
      clearTimeout(timer)
      worker.off('message', listen)
      fail = () => {}
    }
  }

  const close = async (): Promise<void> => {
    isAlive = false
    await worker.terminate()
  }
  return { run, isAlive: () => isAlive, loaded: loaded.promise, exited, close }
}
