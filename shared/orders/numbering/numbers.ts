import { timeZoneOf } from '../../merchants/settings.ts'
import { count } from '../../platform/log.ts'
import { equals } from '../../platform/table/expressions.ts'
import { jitter, poll, TransactionRefused, Unavailable } from '../../platform/table/failures.ts'
import type { CounterItem, Merchant, Series } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { type Action, update } from '../../platform/table/transact.ts'
import { dayOf } from '../../values/day.ts'
import { periodOf, writeNumber } from '../../values/number-format.ts'

// One item each, so that a cancellation and an order do not write the same item.
export const counters = ['orders', 'invoices', 'deliveryNotes', 'creditAdvices'] as const

export type Counter = (typeof counters)[number]

/**
 * The last ids a merchant has given to each kind of document; they count up from 1 without gaps. `series` says how the kinds
 * write their numbers that do not use the id.
 */
export type Numbers = Record<Counter, number> & { series?: Partial<Record<Counter, Series>> }

/** The keys of a merchant's counters, in their order. */
export const counterKeys = (merchant: MerchantId) => counters.map(counter => key('numbers', { merchant, counter }))

/** The numbers in the counters read by counterKeys; undefined when a counter is missing. */
export const numbersIn = (items: readonly (CounterItem | undefined)[]): Numbers | undefined => {
  if (counters.some((_, n) => !items[n])) return undefined
  const lasts = Object.fromEntries(counters.map((counter, n) => [counter, items[n]?.last])) as Record<Counter, number>
  const series = counters.flatMap((counter, n) => (items[n]?.series ? [[counter, items[n].series] as const] : []))
  return series.length > 0 ? { ...lasts, series: Object.fromEntries(series) } : lasts
}

// Numbers of merchants from before formats are their ids.
const plainSeries: Series = { format: '{n}', period: '', offset: 0 }

export const seriesOf = (numbers: Numbers, counter: Counter): Series => numbers.series?.[counter] ?? plainSeries

/** When a number is taken, and the merchant, whose days count. */
export type Moment = { now: string; merchant: Pick<Merchant, 'timezone' | 'countrycode'> }

/** The period of a format at a moment. */
export const periodAt = (format: string, { now, merchant }: Moment): string =>
  periodOf(format, () => dayOf(now, timeZoneOf(merchant)))

/** The series that a kind counts in at a moment: in a new year or month from 1. A clock that is slow does not lead back. */
export const seriesAt = (numbers: Numbers, counter: Counter, moment: Moment): Series => {
  const series = seriesOf(numbers, counter)
  const period = periodAt(series.format, moment)
  return period > series.period ? { format: series.format, period, offset: numbers[counter] } : series
}

/** Takes the next id and number of a kind of document. */
export const takeNumber = (
  numbers: Numbers,
  counter: Counter,
  moment: Moment,
): { id: number; number: string; numbers: Numbers } => {
  const series = seriesAt(numbers, counter, moment)
  const id = numbers[counter] + 1
  const isNew = series !== seriesOf(numbers, counter)
  return {
    id,
    number: writeNumber(series.format, series.period, id - series.offset),
    numbers: { ...numbers, [counter]: id, ...(isNew && { series: { ...numbers.series, [counter]: series } }) },
  }
}

/** The condition that a counter still is as it was read: its last id and its series. */
const unchanged = (numbers: Numbers, counter: Counter) => {
  const series = numbers.series?.[counter]
  return [
    equals('last', numbers[counter]),
    series ? equals('series', series) : ({ attribute: 'series', is: 'absent' } as const),
  ]
}

/** Updates the counters that differ, on condition that each still is as it was read. */
export const updateNumbers = (merchant: MerchantId, before: Numbers, after: Numbers): Action[] =>
  counters
    .filter(counter => before[counter] !== after[counter] || before.series?.[counter] !== after.series?.[counter])
    .map(counter => {
      const series = after.series?.[counter]
      const isNew = series !== before.series?.[counter]
      const set = { last: after[counter], ...(isNew && { series }) }
      return update(`numbers ${counter}`, key('numbers', { merchant, counter }), { set }, unchanged(before, counter))
    })

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
