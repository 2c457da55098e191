import type { FunctionModel } from '../template/model.ts'
import { type Instance, type InstanceOptions, startInstance } from './instance.ts'
import type { Place, Room } from './room.ts'

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
  /** Where its instances find places. */
  room: Room
  /** Awaited before each event: its bundle may be about to change. */
  prepare?(): Promise<void>
}

/** An event above Lambda's limit. */
export class PayloadTooLarge extends Error {}

type Waiting = {
  event: string
  /** The caller's credential, if the event is a request with one. */
  caller: string | undefined
  /** The round in which it is served: each caller has one event in a round. */
  round: number
  /** By `performance.now`. */
  since: number
  done: (result: string | undefined) => void
  failed: (error: Error) => void
}

const callerIn = (event: unknown): string | undefined =>
  (event as { headers?: { authorization?: string } } | undefined)?.headers?.authorization

type Placed = { instance: Instance; place: Place; timer?: NodeJS.Timeout }

// Lambda's limit of a synchronous invocation's payload. A response may have a hundred bytes more.
const maxRequestBytes = 6_291_456
const idleMs = 5 * 60_000

/** A function with no instances yet: the first event starts one. */
export const localFunction = ({
  environment,
  maxInstances,
  room,
  prepare,
  ...options
}: LocalFunctionOptions): LocalFunction => {
  let { model } = options
  let isClosed = false
  /** The instances of the present bundle, and those of earlier ones that are still at work. */
  const instances = new Set<Placed>()
  const outdated = new Set<Placed>()
  const free: Placed[] = []
  const waiting: Waiting[] = []
  /** How to withdraw from asking for a place; one that was handed over is no longer in there. */
  const asked = new Set<() => void>()

  const forget = (one: Placed): void => {
    instances.delete(one)
    outdated.delete(one)
    if (free.includes(one)) free.splice(free.indexOf(one), 1)
    clearTimeout(one.timer)
  }

  const drop = async (one: Placed): Promise<void> => {
    forget(one)
    await one.instance.close()
  }

  const startOne = (place: Place): Placed => {
    const instance = startInstance({ ...options, model, environment: environment() })
    const started: Placed = { instance, place }
    instances.add(started)
    instance.loaded.then(place.loaded)
    instance.exited.then(() => {
      forget(started)
      place.leave()
    })
    return started
  }

  const rest = (one: Placed): void => {
    one.timer = setTimeout(() => drop(one), idleMs).unref()
    free.push(one)
    one.place.rest(() => drop(one))
  }

  const serve = async (one: Placed, { event, done, failed }: Waiting): Promise<void> => {
    clearTimeout(one.timer)
    one.place.work()
    await one.instance.run(event).then(done, failed)
    // A timed-out or crashed instance is gone, as on Lambda.
    if (!one.instance.isAlive() || outdated.has(one)) drop(one)
    else if (waiting[0] && !room.isAwaited(waiting[0].since)) free.push(one)
    else rest(one)
    serveWaiting()
  }

  const start = (place: Place): void => {
    const next = instances.size < maxInstances ? waiting.shift() : undefined
    try {
      if (next) serve(startOne(place), next)
      else place.leave()
    } catch (error) {
      // Not even a thread is to be had.
      next?.failed(error as Error)
      place.leave()
    }
  }

  const askForPlace = ({ since }: Waiting): void => {
    // The place may be handed over before it is known how to withdraw.
    let withdraw = () => {}
    const withdrawn = () => withdraw()
    const take = (place: Place) => {
      asked.delete(withdrawn)
      start(place)
    }
    asked.add(withdrawn)
    withdraw = room.ask({ since, isFirst: instances.size + asked.size === 1, take })
  }

  const serveWaiting = (): void => {
    while (free.length > 0 && waiting.length > 0) serve(free.pop() as Placed, waiting.shift() as Waiting)
    // Asked anew each time: how many places are wanted has changed, and whether one of them would be the only one.
    for (const withdraw of asked) withdraw()
    asked.clear()
    for (let next = waiting[0]; next && instances.size + asked.size < maxInstances; next = waiting[asked.size])
      askForPlace(next)
  }

  // Lambda has an instance for each request. Here there are few, so callers take turns: nobody waits for another's flood.
  const join = (one: Omit<Waiting, 'round'>): void => {
    const last = waiting.findLast(({ caller }) => caller === one.caller)
    const round = last ? last.round + 1 : (waiting[0]?.round ?? 0)
    waiting.splice(waiting.findLastIndex(other => other.round <= round) + 1, 0, { ...one, round })
  }

  const invoke = async (event: unknown): Promise<unknown> => {
    const text = JSON.stringify(event)
    if (Buffer.byteLength(text) > maxRequestBytes) throw new PayloadTooLarge()
    await prepare?.()
    const result = await new Promise<string | undefined>((done, failed) => {
      if (isClosed) return failed(new Error('the function is closed'))
      join({ event: text, caller: callerIn(event), since: performance.now(), done, failed })
      serveWaiting()
    })
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
    for (const { failed } of waiting.splice(0)) failed(new Error('the function is closed'))
    serveWaiting()
    await Promise.all([...instances, ...outdated].map(drop))
  }
  return { invoke, renew, close }
}
