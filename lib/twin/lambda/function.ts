import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { FunctionModel } from '../template/model.ts'
import type { Invocation, Report } from './worker.ts'

/** A function on this machine: instances come and go as Lambda's do, each serving one event at a time. */
export type LocalFunction = {
  /** Answers the handler's value; throws when the function failed, timed out or answered too much. */
  invoke(event: unknown): Promise<unknown>
  close(): Promise<void>
}

export type LocalFunctionOptions = {
  model: FunctionModel
  /** The folder the code asset was unpacked to. */
  folder: string
  environment: Record<string, string>
  log: Writable
  maxInstances: number
}

// Lambda's limit for the payload and the answer of a synchronous invocation.
const maxPayload = 6 * 1024 * 1024
const idleMilliseconds = 5 * 60_000
// Loading does not count as the function's time; on a busy machine many functions may load at once.
const loadMilliseconds = 25_000

type Instance = { worker: Worker; ready: boolean; idle?: NodeJS.Timeout }
type Waiting = { event: string; done: (value: unknown) => void; failed: (error: Error) => void }

export const localFunction = ({
  model,
  folder,
  environment,
  log,
  maxInstances,
}: LocalFunctionOptions): LocalFunction => {
  const instances = new Set<Instance>()
  const free: Instance[] = []
  const waiting: Waiting[] = []
  const [file = 'index', exportName = 'handler'] = model.handler.split('.')
  let count = 0

  const say = (line: string) => log.write(`${line}\n`)

  const drop = (instance: Instance): Promise<number> => {
    instances.delete(instance)
    const at = free.indexOf(instance)
    if (at >= 0) free.splice(at, 1)
    clearTimeout(instance.idle)
    return instance.worker.terminate()
  }

  const start = (): Instance => {
    const worker = new Worker(join(import.meta.dirname, 'worker.ts'), {
      workerData: { bundle: join(folder, `${file}.mjs`), exportName, functionArn: model.arn },
      env: { ...environment, ...model.environment },
      resourceLimits: { maxOldGenerationSizeMb: model.memoryMb },
      stdout: true,
      stderr: true,
    })
    worker.stdout.pipe(log, { end: false })
    worker.stderr.pipe(log, { end: false })
    const instance = { worker, ready: false }
    // An instance may also die while nobody waits for it; then it must neither be used again nor take the twin along.
    worker.on('error', error => {
      say(error.message)
      drop(instance)
    })
    worker.on('exit', () => drop(instance))
    instances.add(instance)
    return instance
  }

  const release = (instance: Instance): void => {
    const next = waiting.shift()
    if (next) {
      run(instance, next)
      return
    }
    instance.idle = setTimeout(() => drop(instance), idleMilliseconds).unref()
    free.push(instance)
  }

  const run = (instance: Instance, { event, done, failed }: Waiting): void => {
    const { worker } = instance
    clearTimeout(instance.idle)
    const id = ++count
    const finish = () => {
      clearTimeout(timer)
      worker.removeAllListeners('message').off('error', die).off('exit', leave)
    }
    // A timed-out or crashed instance is gone, as on Lambda; the next event gets a new one.
    const die = (error: Error) => {
      finish()
      drop(instance)
      failed(error)
      const next = waiting.shift()
      if (next) run(start(), next)
    }
    const leave = (code: number) => die(new Error(`the function exited with code ${code}`))
    const limit = (milliseconds: number) =>
      setTimeout(() => {
        const message = `Task timed out after ${milliseconds / 1000} seconds`
        say(message)
        die(new Error(message))
      }, milliseconds)
    const timeout = model.timeoutSeconds * 1000
    let timer = limit(instance.ready ? timeout : loadMilliseconds)
    worker.once('error', die).once('exit', leave)
    worker.on('message', (report: Report) => {
      if (report.ready) {
        instance.ready = true
        clearTimeout(timer)
        timer = limit(timeout)
        return
      }
      if (report.id !== id) return
      finish()
      release(instance)
      const { result, error } = report
      if (error !== undefined) failed(new Error(error))
      else if ((result?.length ?? 0) > maxPayload) failed(new Error('the answer is larger than 6 MB'))
      else done(result === undefined ? undefined : JSON.parse(result))
    })
    worker.postMessage({ id, event: JSON.parse(event), timeout } satisfies Invocation)
  }

  return {
    invoke: event =>
      new Promise((done, failed) => {
        const text = JSON.stringify(event)
        if (text.length > maxPayload) return failed(new PayloadTooLarge())
        const wanted = { event: text, done, failed }
        const instance = free.pop()
        if (instance) run(instance, wanted)
        else if (instances.size < maxInstances) run(start(), wanted)
        else waiting.push(wanted)
      }),
    close: async () => {
      await Promise.all([...instances].map(drop))
    },
  }
}

/** An event above Lambda's limit. */
export class PayloadTooLarge extends Error {}
