import { setTimeout as pause } from 'node:timers/promises'
import { count } from '../platform/metrics.ts'
import { TransactionRefused, Unavailable } from '../platform/table/failures.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { jitter } from '../platform/table/retry.ts'
import { updateItem } from '../platform/table/table.ts'
import { type Counter, lostNumber, OthersWaiting, type Turn } from './numbers.ts'

// Function and gateway end a request after 29 s; what is left then is for reading, the provider and the response.
const budget = 15_000
/** What a turn takes, in milliseconds, as this instance saw it last. */
let usualPace = 30
const paces = { least: 10, most: 500 }
const longest = 1_500
/** No turn takes less, in milliseconds. */
const quickest = 12
/** How many before one's turn the attempt itself looks how far the queue is. */
const near = 3
/** Whoever is at their turn for so long, in milliseconds or in turns, is taken for gone by those behind. */
const patience = { milliseconds: 400, turns: 8 }
/** However many before are gone, in milliseconds: whoever comes anew passes a queue by that stood still for so long. */
const longestStall = 3000

type Queue = { merchant: MerchantId; counter: Counter }

/** Somebody's place in the queue before a counter. */
class Place implements Turn {
  readonly counter: Counter
  used = false
  through: number | null = null
  abandoned = 0
  ticket: number | null = null
  /** Milliseconds that a turn took as far as seen, and that the next ones may take while nothing moves. */
  private known = usualPace
  pace = usualPace
  private first: { turn: number; at: number } | undefined
  private seen: { turn: number; since: number } | undefined

  constructor(counter: Counter) {
    this.counter = counter
  }

  see(turn: number): void {
    const now = Date.now()
    this.first ??= { turn, at: now }
    if (this.seen?.turn !== turn) this.seen = { turn, since: now }
    const turns = turn - this.first.turn
    const elapsed = now - this.first.at
    const inRange = (pace: number) => Math.min(paces.most, Math.max(paces.least, pace))
    this.known = inRange(turns > 0 ? elapsed / turns : usualPace)
    this.pace = turns > 0 ? this.known : inRange(Math.max(usualPace, elapsed / 2))
  }

  /** How many have their turn before. */
  get ahead(): number {
    return this.ticket === null ? 0 : this.ticket - (this.seen?.turn ?? this.ticket) - 1
  }

  get isDue(): boolean {
    const stalled = Date.now() - (this.seen?.since ?? 0)
    const most = longestStall + this.ahead * quickest
    const patient = this.ahead * Math.max(patience.milliseconds, patience.turns * this.known)
    return this.ahead <= 0 || stalled > Math.min(most, patient)
  }
}

/** Waits nearly as long as the others will take: asking more often would take the time from those whose turn it is. */
const approach = async (place: Place, deadline: number): Promise<boolean> => {
  if (place.isDue) return true
  const { ahead } = place
  // The next few ask early: who is late for a turn makes all behind late, and the delay would be taken for the pace.
  const estimate = ahead > near ? (ahead - near) * place.pace * 0.9 : (ahead - 1) * quickest
  await pause(Math.min(longest, 5 + estimate * (0.9 + 0.2 * Math.random())))
  return Date.now() <= deadline
}

/** Lets those behind go on when a ticket came to nothing. */
const giveUp = async (queue: Queue, { ticket, ahead }: Place): Promise<void> => {
  if (ticket === null || ahead < 0) return
  const ours = [{ attribute: 'turn', is: '<', value: ticket }] as const
  // Whoever waits behind finds out by themselves, only later.
  await updateItem(key('numbers', queue), { set: { turn: ticket } }, ours).catch(() => {})
}

const remember = (place: Place): void => {
  if (place.ticket !== null) usualPace = place.pace
}

type Taking<T> = {
  attempt: (turn: Turn) => Promise<T>
  again: (error: TransactionRefused) => boolean | Promise<boolean>
  joined?: ((ticket: number, deadline: number) => Promise<void>) | undefined
}

const untilTaken = async <T>(queue: Queue, place: Place, { attempt, again, joined }: Taking<T>): Promise<T> => {
  const deadline = Date.now() + budget
  for (let tried = 1; ; ) {
    place.used = false
    place.through = null
    try {
      return await attempt(place)
    } catch (error) {
      const refused = error instanceof TransactionRefused
      const waits = error instanceof OthersWaiting
      const late = () => (waits ? new Unavailable('too many wait for a number') : error)
      if (Date.now() > deadline) throw late()
      if (!(waits || (refused && (await again(error))))) throw error
      if (refused) {
        count('Retries')
        await pause(jitter(tried++))
      }
      if (place.ticket === null && (waits || (refused && lostNumber(error, queue.counter)))) {
        place.ticket = (await updateItem(key('queue', queue), { add: { tickets: 1 } })).tickets
        await joined?.(place.ticket, deadline)
      }
      if (!(await approach(place, deadline))) throw late()
    }
  }
}

/**
 * Runs a read-and-transact attempt that takes numbers, again while `again` says that its refusal was only contention;
 * the attempt reads afresh each time. Who lost a number queues before the counter, so that of many at once each has
 * its turn: the order of tickets saves futile transactions, while the conditions of the attempt alone keep numbers
 * dense. `joined` is told the ticket, and when (milliseconds) it will be given up. The last refusal, or Unavailable, is
 * thrown once 15 s are over.
 */
export const inTurn = async <T>(
  queue: Queue,
  attempt: Taking<T>['attempt'],
  again: Taking<T>['again'],
  joined?: Taking<T>['joined'],
): Promise<T> => {
  const place = new Place(queue.counter)
  try {
    const result = await untilTaken(queue, place, { attempt, again, joined })
    if (place.used) remember(place)
    else await giveUp(queue, place)
    return result
  } catch (error) {
    await giveUp(queue, place)
    throw error
  }
}
