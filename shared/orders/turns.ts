import { setTimeout as pause } from 'node:timers/promises'
import { TransactionRefused, Unavailable } from '../table/failures.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { jitter } from '../table/retry.ts'
import { getItem, updateItem } from '../table/table.ts'
import { type Counter, lostNumber, type Turn } from './numbers.ts'

// Function and gateway end a request after 29 s; what is left then is for reading, the provider and the response.
const budget = 15_000
/** What a turn takes until it was observed, and the shortest and longest pause between two looks at the queue. */
const usualPace = 25
const shortest = 8
const longest = 700
/** How long somebody may be at their turn before those behind take them for gone: at least, and in turns. */
const patience = { milliseconds: 400, turns: 8 }

/** Others wait for the counter: this one has to queue as well, before its transaction disturbs theirs. */
export class OthersWaiting extends Error {}

type Queue = { merchant: MerchantId; counter: Counter }

const drawTicket = async (queue: Queue): Promise<number> =>
  (await updateItem(key('queue', queue), { add: { tickets: 1 } })).tickets

/**
 * Waits until everybody with a lower ticket had their turn, or seems to be gone. Returns the ticket up to which
 * everybody had theirs when this one is over, or undefined when time is up.
 */
const awaitTurn = async (queue: Queue, ticket: number, deadline: number): Promise<number | undefined> => {
  const start = Date.now()
  let first: number | undefined
  let moved = { turn: -1, at: start }
  for (;;) {
    const turn = (await getItem(key('numbers', queue)))?.turn ?? ticket
    const now = Date.now()
    const ahead = ticket - turn - 1
    if (ahead <= 0) return Math.max(ticket, turn)
    if (turn !== moved.turn) moved = { turn, at: now }
    first ??= turn
    const pace = now > start + usualPace ? (now - start) / Math.max(1, turn - first) : usualPace
    if (now - moved.at > ahead * Math.max(patience.milliseconds, patience.turns * usualPace)) return ticket
    if (now > deadline) return undefined
    // Nearly as long as the others will take: asking more often would take the time from those whose turn it is.
    await pause(Math.min(longest, Math.max(shortest, ahead * pace * (0.6 + 0.2 * Math.random()))))
  }
}

/** Lets those behind go on when a ticket came to nothing. */
const giveUp = async (queue: Queue, ticket: number): Promise<void> => {
  const ours = [{ attribute: 'turn', is: '<', value: ticket }] as const
  // Whoever waits behind finds out by themselves, only later.
  await updateItem(key('numbers', queue), { set: { turn: ticket } }, ours).catch(() => {})
}

/**
 * Runs a read-and-transact attempt that takes numbers, again while `again` says that its refusal was only contention;
 * the attempt reads afresh each time. Who lost a number queues before the counter, so that of many at once each has
 * its turn: the order of tickets saves futile transactions, while the conditions of the attempt alone keep numbers
 * dense. The last refusal is thrown once 15 s are over.
 */
export const inTurn = async <T>(
  queue: Queue,
  attempt: (turn: Turn) => Promise<T>,
  again: (error: TransactionRefused) => boolean | Promise<boolean>,
): Promise<T> => {
  const deadline = Date.now() + budget
  const turn: Turn = { counter: queue.counter, value: null, used: false }
  let ticket: number | undefined
  const leave = async () => {
    if (ticket !== undefined) await giveUp(queue, ticket)
  }
  for (let tried = 1; ; tried++) {
    turn.used = false
    try {
      const result = await attempt(turn)
      if (!turn.used) await leave()
      return result
    } catch (error) {
      const refused = error instanceof TransactionRefused
      const isLate = Date.now() > deadline
      if (isLate || !(error instanceof OthersWaiting || (refused && (await again(error))))) {
        await leave()
        throw error
      }
      if (ticket === undefined && (!refused || lostNumber(error, queue.counter))) ticket = await drawTicket(queue)
      else await pause(jitter(tried))
      if (ticket === undefined) continue
      const value = await awaitTurn(queue, ticket, deadline)
      if (value === undefined) throw refused ? error : new Unavailable('too many wait for a number')
      turn.value = value
    }
  }
}
