import { equals } from '../platform/table/expressions.ts'
import type { TransactionRefused } from '../platform/table/failures.ts'
import type { CounterItem } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { type Action, update } from '../platform/table/transact.ts'

/** What a merchant numbers, each kind by an item of its own, so that a cancellation does not stand in an order's way. */
export const counters = ['orders', 'invoices', 'deliveryNotes', 'creditAdvices'] as const

export type Counter = (typeof counters)[number]

/** The last number a merchant has given to each kind of record; they count up from 1 without gaps. */
export type Numbers = Record<Counter, number>

/**
 * The numbers as they were read, up to which ticket those who queue for each counter had their turn, and when a number
 * was given last, in milliseconds.
 */
export type SeenNumbers = { numbers: Numbers; turns: Numbers; moved: Numbers }

/** A turn in the queue before a counter. Without a ticket, nobody is waited for. */
export type Turn = {
  readonly counter: Counter
  readonly ticket: number | null
  /** The last ticket of a queue that nobody stands in any more: whoever drew it or one before is gone. */
  abandoned: number
  /** Whether those before had their turn, or are taken for gone. */
  readonly isDue: boolean
  /** The last ticket whose holder is served by the same transaction. */
  through: number | null
  /** Whether a transaction was to write that the turn was had. */
  used: boolean
  /** Tells up to which ticket the turn is, whenever that was read. */
  see(turn: number): void
}

/** Others have their turn before: nothing was written. */
export class OthersWaiting extends Error {}

/** The keys of a merchant's counters, in their order. */
export const counterKeys = (merchant: MerchantId) => counters.map(counter => key('numbers', { merchant, counter }))

/** What stands in the counters read by counterKeys; undefined when one is missing. */
export const numbersIn = (items: readonly (CounterItem | undefined)[]): SeenNumbers | undefined => {
  const [orders, invoices, deliveryNotes, creditAdvices] = items
  if (!orders || !invoices || !deliveryNotes || !creditAdvices) return undefined
  const all = (what: keyof CounterItem): Numbers => ({
    orders: orders[what],
    invoices: invoices[what],
    deliveryNotes: deliveryNotes[what],
    creditAdvices: creditAdvices[what],
  })
  return { numbers: all('last'), turns: all('turn'), moved: all('at') }
}

/** Throws OthersWaiting before a turn is due. */
export const checkDue = (turn: Turn, { turns }: Pick<SeenNumbers, 'turns'>): void => {
  turn.see(turns[turn.counter])
  if (!turn.isDue) throw new OthersWaiting()
}

const actionName = (counter: Counter): string => `numbers ${counter}`

/**
 * Takes numbers: the counters that differ are moved from what was read to what shall be, so they stay dense, and a lost
 * race is a refusal. The turn that was waited for is over with it. Throws OthersWaiting before it is due.
 */
export const takeNumbers = (
  merchant: MerchantId,
  { numbers, turns }: Pick<SeenNumbers, 'numbers' | 'turns'>,
  after: Numbers,
  turn?: Turn,
): Action[] =>
  counters
    .filter(counter => numbers[counter] !== after[counter])
    .map(counter => {
      const change: Partial<CounterItem> = { last: after[counter], at: Date.now() }
      if (turn?.counter === counter) {
        checkDue(turn, { turns })
        turn.used = turn.ticket !== null
        change.turn = Math.max(turn.through ?? turn.ticket ?? turn.abandoned, turns[counter])
      }
      return update(actionName(counter), key('numbers', { merchant, counter }), { set: change }, [
        equals('last', numbers[counter]),
      ])
    })

/** Whether somebody else took a number of this counter first, or was about to. */
export const lostNumber = ({ reasons }: TransactionRefused, counter: Counter): boolean =>
  (reasons[actionName(counter)] ?? 'None') !== 'None'

// Whoever took an order's number has an order there; what begins with a ticket is of an order that is placed along.
const ofNumber = /^(numbers|part) |^order$|^\d+ /

/** Whether nothing but the number of a new order, or a write at the same moment, stood in the way of placing it. */
export const onlyNumbersLost = (error: TransactionRefused): boolean =>
  Object.keys(error.reasons).every(name => ofNumber.test(name) || !error.failed(name))

const ofAlong = /^(\d+) (?!order$|part )/

/** The tickets of orders placed along that were refused for something else than their numbers. */
export const refusedAlong = (error: TransactionRefused): number[] =>
  Object.keys(error.reasons).flatMap(name => {
    const [, ticket] = ofAlong.exec(name) ?? []
    return ticket && error.failed(name) ? [Number(ticket)] : []
  })
