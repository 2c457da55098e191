import { LRUCache } from 'lru-cache'

/** The caller has waited too long for an answer, or would have to. */
export class TookTooLong extends Error {
  /** After how many seconds a repetition may succeed. */
  readonly seconds: number
  constructor(milliseconds: number) {
    super('the answer took too long')
    this.seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  }
}

export type WaitingEvent = {
  event: string
  /** The credential of an HTTP request. */
  caller: string | undefined
  /** Path and query of a GET request. */
  address: string | undefined
  /** By `performance.now`. */
  since: number
  /** Until when the caller waits. */
  deadline: number
  /** The turn in which it is served, set by `add`: each caller has one event in a turn. */
  turn: number
  done(result: string | undefined): void
  failed(error: Error): void
}

const maxKnown = 2000
// An average would count the loading of the code that draws.
const recentOnes = 4

/**
 * The events of a function that wait for an instance. Lambda has an instance for each request. Here there are few, so callers
 * take turns: none waits for another's flood. A GET of something for the first time may have to draw it; two may do so at
 * once, so that one that was answered before need not wait for them.
 */
export const waitingEvents = (maxInstances: number) => {
  const maxFirst = Math.max(1, Math.min(2, maxInstances - 1))
  const waiting: WaitingEvent[] = []
  const known = new LRUCache<string, true>({ max: maxKnown })
  /** The first-time events that are being served, and when they began. */
  const serving = new Map<WaitingEvent, number>()
  /** How long the last of them took, in milliseconds. */
  const recent: number[] = []

  const isFirst = ({ address }: WaitingEvent): boolean => address !== undefined && !known.has(address)

  const remove = (one: WaitingEvent): void => {
    const at = waiting.indexOf(one)
    if (at >= 0) waiting.splice(at, 1)
  }

  const giveUp = (one: WaitingEvent, milliseconds = 0): void => {
    remove(one)
    one.failed(new TookTooLong(milliseconds))
  }

  /** Refuses the events whose turn would come too late. */
  const refuseLate = (): void => {
    if (recent.length < recentOnes) return
    const now = performance.now()
    const before = new Set<string | undefined>()
    for (const one of waiting.filter(isFirst)) {
      before.add(one.address)
      const milliseconds = (before.size / maxFirst) * Math.min(...recent)
      if (now + milliseconds <= one.deadline) continue
      giveUp(one, milliseconds)
      before.delete(one.address)
    }
  }

  /** The events that may be served now, in this order. */
  const servable = (): WaitingEvent[] => {
    const later = new Set(waiting.filter(isFirst).slice(maxFirst - serving.size))
    return waiting.filter(one => !later.has(one))
  }

  return {
    servable,
    giveUp,
    add: (one: WaitingEvent): void => {
      const last = waiting.findLast(({ caller }) => caller === one.caller)
      one.turn = last ? last.turn + 1 : (waiting[0]?.turn ?? 0)
      waiting.splice(waiting.findLastIndex(({ turn }) => turn <= one.turn) + 1, 0, one)
      refuseLate()
    },
    /** Takes the next event to serve it. */
    take: (): WaitingEvent | undefined => {
      const [next] = servable()
      if (!next) return undefined
      remove(next)
      if (isFirst(next)) serving.set(next, performance.now())
      return next
    },
    /** Notes that a taken event was served. */
    served: (one: WaitingEvent): void => {
      const start = serving.get(one)
      if (one.address !== undefined) known.set(one.address, true)
      if (start === undefined) return
      serving.delete(one)
      recent.push(performance.now() - start)
      if (recent.length > recentOnes) recent.shift()
      refuseLate()
    },
    /** Fails all events. */
    close: (error: Error): void => {
      for (const { failed } of waiting.splice(0)) failed(error)
    },
  }
}
