import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { FunctionModel } from '../template/model.ts'
import { type Instance, type InstanceOptions, startInstance } from './instance.ts'
import type { InstanceLimiter, Slot } from './instance-limiter.ts'
import { type WaitingEvent, waitingEvents } from './waiting-events.ts'

/** A function whose instances start and end as Lambda's do, each serving one event at a time. */
export type LocalFunction = {
  /**
   * Returns the handler's value; rejects if the function fails, times out or returns too much, or with PayloadTooLarge. A
   * caller waits at most `limitMs` for it, without the time in which its bundle is built; then rejects with TookTooLong.
   */
  invoke(event: unknown, limitMs?: number): Promise<unknown>
  /** Serves later events by new instances, which load the bundle again; busy instances finish their event. */
  renew(model?: FunctionModel): void
  close(): Promise<void>
}

export type LocalFunctionOptions = Omit<InstanceOptions, 'environment'> & {
  environment(): Record<string, string>
  maxInstances: number
  limiter: InstanceLimiter
  /** Awaited before each event: the bundle may be about to change. */
  prepare?(): Promise<void>
}

export class PayloadTooLarge extends Error {}

/** Of an HTTP request: its credential, and path and query of a GET. */
const originOf = (event: unknown): Pick<WaitingEvent, 'caller' | 'address'> => {
  const { headers, rawPath, rawQueryString, requestContext } = (event ?? {}) as Partial<APIGatewayProxyEventV2>
  const isGet = requestContext?.http.method === 'GET'
  return { caller: headers?.authorization, address: isGet ? `${rawPath}?${rawQueryString}` : undefined }
}

type RunningInstance = { instance: Instance; slot: Slot; timer?: NodeJS.Timeout }

// Lambda's limit of a synchronous invocation's payload. A response may have a hundred bytes more.
const maxRequestBytes = 6_291_456
const idleMs = 5 * 60_000

export const localFunction = ({
  environment,
  maxInstances,
  limiter,
  prepare,
  ...options
}: LocalFunctionOptions): LocalFunction => {
  let { model } = options
  let isClosed = false
  /** Instances of the current bundle; `outdated` are those of earlier bundles that are still busy. */
  const instances = new Set<RunningInstance>()
  const outdated = new Set<RunningInstance>()
  const free: RunningInstance[] = []
  const waiting = waitingEvents(maxInstances)
  /** How to withdraw the open requests for slots. */
  const requested = new Set<() => void>()

  const forget = (one: RunningInstance): void => {
    instances.delete(one)
    outdated.delete(one)
    if (free.includes(one)) free.splice(free.indexOf(one), 1)
    clearTimeout(one.timer)
  }

  const drop = async (one: RunningInstance): Promise<void> => {
    forget(one)
    await one.instance.close()
  }

  const startOne = (slot: Slot): RunningInstance => {
    const instance = startInstance({ ...options, model, environment: environment() })
    const started: RunningInstance = { instance, slot }
    instances.add(started)
    instance.loaded.then(slot.loaded)
    instance.exited.then(() => {
      forget(started)
      slot.release()
    })
    return started
  }

  const setIdle = (one: RunningInstance): void => {
    one.timer = setTimeout(() => drop(one), idleMs).unref()
    free.push(one)
    one.slot.idle(() => drop(one))
  }

  const serve = async (one: RunningInstance, event: WaitingEvent): Promise<void> => {
    clearTimeout(one.timer)
    one.slot.busy()
    await one.instance.run(event.event).then(event.done, event.failed)
    waiting.served(event)
    const [next] = waiting.servable()
    // A timed-out or crashed instance serves no more, as on Lambda.
    if (!one.instance.isAlive() || outdated.has(one)) drop(one)
    else if (next && !limiter.isAwaited(next.since)) free.push(one)
    else setIdle(one)
    serveWaiting()
  }

  const start = (slot: Slot): void => {
    const next = instances.size < maxInstances ? waiting.take() : undefined
    try {
      if (next) serve(startOne(slot), next)
      else slot.release()
    } catch (error) {
      // No thread could be started.
      next?.failed(error as Error)
      slot.release()
    }
  }

  const requestSlot = ({ since }: WaitingEvent): void => {
    // The slot may be handed over before `request` returns how to withdraw.
    let withdraw = () => {}
    const withdrawRequest = () => withdraw()
    const take = (slot: Slot) => {
      requested.delete(withdrawRequest)
      start(slot)
    }
    requested.add(withdrawRequest)
    withdraw = limiter.request({ since, isFirst: instances.size + requested.size === 1, take })
  }

  const serveWaiting = (): void => {
    while (free.length > 0 && waiting.servable().length > 0)
      serve(free.pop() as RunningInstance, waiting.take() as WaitingEvent)
    // Requested again each time: the number of needed slots has changed, and whether one of them would be the first.
    for (const withdraw of requested) withdraw()
    requested.clear()
    for (const event of waiting.servable().slice(0, maxInstances - instances.size)) requestSlot(event)
  }

  const invoke = async (event: unknown, limitMs?: number): Promise<unknown> => {
    const text = JSON.stringify(event)
    if (Buffer.byteLength(text) > maxRequestBytes) throw new PayloadTooLarge()
    await prepare?.()
    if (isClosed) throw new Error('the function is closed')
    const { promise, resolve: done, reject: failed } = Promise.withResolvers<string | undefined>()
    const since = performance.now()
    const deadline = since + (limitMs ?? Infinity)
    const one = { event: text, ...originOf(event), since, deadline, turn: 0, done, failed }
    const timer = limitMs === undefined ? undefined : setTimeout(() => waiting.giveUp(one), limitMs)
    waiting.add(one)
    serveWaiting()
    const result = await promise.finally(() => clearTimeout(timer))
    return result === undefined ? undefined : JSON.parse(result)
  }

  const renew = (newModel = model): void => {
    model = newModel
    for (const one of [...free]) drop(one)
    for (const one of instances) outdated.add(one)
    instances.clear()
    serveWaiting()
  }

  const close = async (): Promise<void> => {
    isClosed = true
    waiting.close(new Error('the function is closed'))
    serveWaiting()
    await Promise.all([...instances, ...outdated].map(drop))
  }
  return { invoke, renew, close }
}
