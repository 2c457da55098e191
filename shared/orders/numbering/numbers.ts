import { count } from '../../platform/log.ts'
import { equals } from '../../platform/table/expressions.ts'
import { jitter, poll, TransactionRefused, Unavailable } from '../../platform/table/failures.ts'
import type { CounterItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { type Action, update } from '../../platform/table/transact.ts'

// One item each, so that a cancellation and an order do not write the same item.
export const counters = ['orders', 'invoices', 'deliveryNotes', 'creditAdvices'] as const

/** The last number a merchant has given to each kind of record; they count up from 1 without gaps. */
export type Numbers = Record<(typeof counters)[number], number>

/** The keys of a merchant's counters, in their order. */
export const counterKeys = (merchant: MerchantId) => counters.map(counter => key('numbers', { merchant, counter }))

/** The numbers in the counters read by counterKeys; undefined when a counter is missing. */
export const numbersIn = (items: readonly (CounterItem | undefined)[]): Numbers | undefined => {
  if (counters.some((_, n) => !items[n])) return undefined
  return Object.fromEntries(counters.map((counter, n) => [counter, items[n]?.last])) as Numbers
}

/** Updates the counters that differ, on condition that each still has the number that was read. */
export const updateNumbers = (merchant: MerchantId, before: Numbers, after: Numbers): Action[] =>
  counters
    .filter(counter => before[counter] !== after[counter])
    .map(counter =>
      update(`numbers ${counter}`, key('numbers', { merchant, counter }), { set: { last: after[counter] } }, [
        equals('last', before[counter]),
      ]),
    )

// The request that took an order's number has written its order there.
const ofNumber = /^(numbers|part) |^order$/

/** True if a transaction was refused only for its numbers, or for a write at the same moment. */
export const onlyNumbersLost = (error: TransactionRefused): boolean =>
  Object.keys(error.reasons).every(name => ofNumber.test(name) || !error.hasFailed(name))

/**
 * Maximum time of a request for its numbers, in milliseconds. Function and gateway end a request after 29 s; what is left
 * then is for reading, the provider and the response.
 */
export const budget = { ms: 15_000 }

/** Another request leads the queue: the attempt has written nothing, so that its order can be queued. */
export class QueueHasLeader extends Error {}

type WithNumbers<T> = {
  /** Reads what it needs and writes it in one transaction; each time again. */
  attempt: () => Promise<T>
  /** True if a refused transaction may be tried again. */
  again?: (error: TransactionRefused) => boolean
  /**
   * Waits in the queue until `deadline` (epoch milliseconds), while another request writes for this request. Returns the
   * result; undefined when this request has to try again itself.
   */
  wait?: (deadline: number) => Promise<T | undefined>
}

/**
 * Runs an attempt that takes numbers, until it succeeds or 15 seconds are over. An attempt that loses a number waits in the
 * queue if it can, else tries again after a random pause. Throws the last refusal, or Unavailable for a request that waited.
 */
export const withNumbers = async <T>({ attempt, again = () => true, wait }: WithNumbers<T>): Promise<T> => {
  const deadline = Date.now() + budget.ms
  const done = await poll(async () => {
    try {
      return { value: await attempt() }
    } catch (error) {
      const hasLeader = error instanceof QueueHasLeader
      if (!hasLeader && !(error instanceof TransactionRefused && again(error))) throw error
      if (Date.now() > deadline) throw hasLeader ? new Unavailable('too many wait for a number') : error
      if (!hasLeader) count('Retries')
      const value = hasLeader || onlyNumbersLost(error) ? await wait?.(deadline) : undefined
      return value === undefined ? undefined : { value }
    }
  }, jitter)
  return done.value
}
