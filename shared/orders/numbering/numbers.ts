import { equals } from '../../platform/table/expressions.ts'
import type { TransactionRefused } from '../../platform/table/failures.ts'
import type { CounterItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { type Action, update } from '../../platform/table/transact.ts'

/** What a merchant numbers, each kind by an item of its own, so that a cancellation does not stand in an order's way. */
export const counters = ['orders', 'invoices', 'deliveryNotes', 'creditAdvices'] as const

export type Counter = (typeof counters)[number]

/** The last number a merchant has given to each kind of record; they count up from 1 without gaps. */
export type Numbers = Record<Counter, number>

/** The keys of a merchant's counters, in their order. */
export const counterKeys = (merchant: MerchantId) => counters.map(counter => key('numbers', { merchant, counter }))

/** The numbers in the counters read by counterKeys; undefined when one is missing. */
export const numbersIn = (items: readonly (CounterItem | undefined)[]): Numbers | undefined => {
  const [orders, invoices, deliveryNotes, creditAdvices] = items
  if (!orders || !invoices || !deliveryNotes || !creditAdvices) return undefined
  return {
    orders: orders.last,
    invoices: invoices.last,
    deliveryNotes: deliveryNotes.last,
    creditAdvices: creditAdvices.last,
  }
}

/**
 * Takes numbers: the counters that differ are moved from what was read to what shall be, so they stay dense, and a lost
 * race is a refusal.
 */
export const takeNumbers = (merchant: MerchantId, before: Numbers, after: Numbers): Action[] =>
  counters
    .filter(counter => before[counter] !== after[counter])
    .map(counter =>
      update(`numbers ${counter}`, key('numbers', { merchant, counter }), { set: { last: after[counter] } }, [
        equals('last', before[counter]),
      ]),
    )

// Whoever took an order's number has an order there.
const ofNumber = /^(numbers|part) |^order$/

/** Whether nothing but a number, or a write at the same moment, stood in the way of a transaction. */
export const onlyNumbersLost = (error: TransactionRefused): boolean =>
  Object.keys(error.reasons).every(name => ofNumber.test(name) || !error.failed(name))
