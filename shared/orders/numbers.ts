import { equals } from '../table/expressions.ts'
import type { TransactionRefused } from '../table/failures.ts'
import type { CounterItem } from '../table/items.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { type Action, update } from '../table/transact.ts'

/** What a merchant numbers, each kind by an item of its own, so that a cancellation does not stand in an order's way. */
export const counters = ['orders', 'invoices', 'deliveryNotes', 'creditAdvices'] as const

export type Counter = (typeof counters)[number]

/** The last number a merchant has given to each kind of record; they count up from 1 without gaps. */
export type Numbers = Record<Counter, number>

/**
 * A turn in the queue before a counter: `value` is the ticket up to which everybody had theirs when this one is over,
 * null without a ticket; `used` tells that a transaction is to write so.
 */
export type Turn = { counter: Counter; value: number | null; used: boolean }

/** The keys of a merchant's counters, in their order. */
export const counterKeys = (merchant: MerchantId) => counters.map(counter => key('numbers', { merchant, counter }))

/** The numbers that stand in the counters read by counterKeys; undefined when one is missing. */
export const numbersIn = (items: readonly (CounterItem | undefined)[]): Numbers | undefined => {
  const found = counters.flatMap((counter, n) => {
    const item = items[n]
    return item ? [[counter, item.last] as const] : []
  })
  return found.length === counters.length ? (Object.fromEntries(found) as Numbers) : undefined
}

const actionName = (counter: Counter): string => `numbers ${counter}`

/**
 * Takes numbers: the counters that differ are moved from what was read to what shall be, so they stay dense, and a lost
 * race is a refusal. The turn that was waited for passes with it.
 */
export const takeNumbers = (merchant: MerchantId, seen: Numbers, after: Numbers, turn?: Turn): Action[] =>
  counters
    .filter(counter => seen[counter] !== after[counter])
    .map(counter => {
      const value = turn?.counter === counter ? turn.value : null
      if (turn && value !== null) turn.used = true
      return update(
        actionName(counter),
        key('numbers', { merchant, counter }),
        { set: { last: after[counter], ...(value !== null && { turn: value }) } },
        [equals('last', seen[counter])],
      )
    })

/** Whether somebody else took a number of this counter first, or was about to. */
export const lostNumber = ({ reasons }: TransactionRefused, counter: Counter): boolean =>
  (reasons[actionName(counter)] ?? 'None') !== 'None'

// Whoever took an order's number has an order there.
const ofNumber = /^(numbers|part) |^order$/

/** Whether nothing but the number of a new order, or a write at the same moment, stood in the way of placing it. */
export const onlyNumbersLost = (error: TransactionRefused): boolean =>
  Object.keys(error.reasons).every(name => ofNumber.test(name) || !error.failed(name))
