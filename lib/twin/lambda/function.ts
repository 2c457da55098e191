import type { FunctionModel } from '../template/model.ts'
import { type Instance, type InstanceOptions, startInstance } from './instance.ts'

/** A function on this machine: instances come and go as Lambda's do, each serving one event at a time. */
export type LocalFunction = {
  /** The handler's value; rejects when the function failed, timed out or returned too much, or with PayloadTooLarge. */
  invoke(event: unknown): Promise<unknown>
  /** Serves later events by new instances, which load the bundle anew; those at work finish first. */
  renew(model?: FunctionModel): void
  close(): Promise<void>
}

export type LocalFunctionOptions = Omit<InstanceOptions, 'environment'> & {
  /** Asked for whenever an instance starts. */
  environment(): Record<string, string>
  maxInstances: number
  /** Awaited before each event: its bundle may be about to change. */
  prepare?(): Promise<void>
}

/** An event above Lambda's limit. */
export class PayloadTooLarge extends Error {}

type Waiting = { event: string; done: (result: string | undefined) => void; failed: (error: Error) => void }

// Lambda's limit of a synchronous invocation's payload. A response may have a hundred bytes more.
const maxRequestBytes = 6_291_456
const idleMs = 5 * 60_000

/** A function with no instances yet: the first event starts one. */
export const localFunction = ({
  environment,
  maxInstances,
  prepare,
  ...options
}: LocalFunctionOptions): LocalFunction => {
  let { model } = options
  /** The instances of the present bundle, and those of earlier ones that are still at work. */
  const instances = new Set<Instance>()
  const outdated = new Set<Instance>()
  const free: { instance: Instance; timer: NodeJS.Timeout }[] = []
  const waiting: Waiting[] = []

  const forget = (instance: Instance): void => {
    instances.delete(instance)
    outdated.delete(instance)
    const at = free.findIndex(one => one.instance === instance)
    for (const { timer } of at < 0 ? [] : free.splice(at, 1)) clearTimeout(timer)
  }

  const drop = async (instance: Instance): Promise<void> => {
    forget(instance)
    await instance.close()
  }

  const start = (): Instance => {
    const instance = startInstance({ ...options, model, environment: environment() })
    instances.add(instance)
    instance.exited.then(() => forget(instance))
    return instance
  }

  const take = (): Instance | undefined => {
    const { instance, timer } = free.pop() ?? {}
    clearTimeout(timer)
    return instance ?? (instances.size < maxInstances ? start() : undefined)
  }

  const serve = async (instance: Instance, { event, done, failed }: Waiting): Promise<void> => {
    await instance.run(event).then(done, failed)
    // A timed-out or crashed instance is gone, as on Lambda.
    if (!instance.isAlive() || outdated.has(instance)) drop(instance)
    else free.push({ instance, timer: setTimeout(() => drop(instance), idleMs).unref() })
    serveWaiting()
  }

  const serveWaiting = (): void => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const instance = take()
      if (!instance) return
      waiting.shift()
      serve(instance, next)
    }
  }

  const invoke = async (event: unknown): Promise<unknown> => {
    const text = JSON.stringify(event)
    if (Buffer.byteLength(text) > maxRequestBytes) throw new PayloadTooLarge()
    await prepare?.()
    const result = await new Promise<string | undefined>((done, failed) => {
      waiting.push({ event: text, done, failed })
      serveWaiting()
    })
    return result === undefined ? undefined : JSON.parse(result)
  }

  const renew = (newModel = model): void => {
    model = newModel
    const idle = free.map(({ instance }) => instance)
    for (const instance of idle) drop(instance)
    for (const instance of instances) outdated.add(instance)
    instances.clear()
    serveWaiting()
  }

  const close = async (): Promise<void> => {
    await Promise.all([...instances, ...outdated].map(drop))
  }
  return { invoke, renew, close }
}
