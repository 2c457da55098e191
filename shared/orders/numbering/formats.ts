import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../contract/errors.ts'
import type { NumberedKind, Numberings, NumberingsChange } from '../../contract/records/merchant.ts'
import { numberedKinds } from '../../contract/records/merchant.ts'
import type { FormerSeriesItem, Series } from '../../platform/table/items.ts'
import { canCollide, skeletonOf } from '../../values/number-format.ts'
import { type Counter, counters, type Moment, type Numbers, periodAt, seriesAt, seriesOf } from './numbers.ts'

/** The counter of each kind. */
export const counterOf = {
  order: 'orders',
  invoice: 'invoices',
  credit_advice: 'creditAdvices',
  delivery_note: 'deliveryNotes',
} as const satisfies Record<NumberedKind, Counter>

export type Former = FormerSeriesItem['former'][number]

/** The formats of new merchants; orders have their ids as numbers. */
export const firstSeries: Partial<Record<Counter, Series>> = {
  invoices: { format: 'R-{n}', period: '', offset: 0 },
  creditAdvices: { format: 'K-{n}', period: '', offset: 0 },
  deliveryNotes: { format: 'L-{n}', period: '', offset: 0 },
}

/** How a merchant numbers its next documents. */
export const numberingsOf = (numbers: Numbers, moment: Moment): Numberings => {
  const entries = numberedKinds.map(kind => {
    const { format, offset } = seriesAt(numbers, counterOf[kind], moment)
    return [kind, { number_format: format, next_number: numbers[counterOf[kind]] + 1 - offset }] as const
  })
  return Object.fromEntries(entries) as Numberings
}

const taken = (kind: NumberedKind, field: string, expected: string): Problem =>
  new Problem('number_taken', { fields: [{ path: `data.numbers.${kind}.${field}`, rule: 'not_taken', expected }] })

const isOf = (counter: Counter, format: string) => (one: Former) =>
  one.counter === counter && skeletonOf(one.format) === skeletonOf(format)

/** The formats that could write a number of another format: formats of other kinds, and former formats. */
const rivalsOf = (numbers: Numbers, former: readonly Former[], counter: Counter, format: string) => [
  ...counters.filter(other => other !== counter).map(other => ({ format: seriesOf(numbers, other).format })),
  ...former.filter(one => !isOf(counter, format)(one)),
]

type State = { numbers: Numbers; former: readonly Former[] }

const maxFormer = 100

/** Changes the numbers of a kind. Throws number_taken. */
const withNumbering = (
  { numbers, former }: State,
  kind: NumberedKind,
  { number_format, next_number }: NonNullable<NumberingsChange[NumberedKind]>,
  moment: Moment,
): State => {
  const counter = counterOf[kind]
  const present = seriesAt(numbers, counter, moment)
  const presentNext = numbers[counter] + 1 - present.offset
  const format = number_format ?? present.format
  const isSame = skeletonOf(format) === skeletonOf(present.format)
  const past = former.find(isOf(counter, format))
  const today = periodAt(format, moment)
  const period = isSame ? present.period : past && past.period > today ? past.period : today
  const free = isSame ? presentNext : past?.period === period ? past.last + 1 : 1
  // The same request again, after documents were numbered, is no other number.
  const isRepeated = isSame && next_number !== undefined && next_number === present.from
  const given = isRepeated ? presentNext : next_number
  const next = given ?? Math.max(free, period === present.period ? presentNext : 1)
  if (next < free) throw taken(kind, 'next_number', `${free} or more`)
  const from = next_number ?? (isSame ? present.from : undefined)
  const series = { format, period, offset: numbers[counter] + 1 - next, ...(from !== undefined && { from }) }
  // A format with a year may have written numbers in earlier years.
  const isUnused = presentNext === 1 && present.period === ''
  const closed =
    isSame || isUnused
      ? former
      : [
          ...former.filter(one => !isOf(counter, present.format)(one)),
          { counter, format: present.format, period: present.period, last: presentNext - 1 },
        ]
  const rivals = format === present.format ? [] : rivalsOf(numbers, closed, counter, format)
  if (closed.length > maxFormer || rivals.some(rival => canCollide({ format }, rival))) {
    throw taken(kind, 'number_format', 'a format that can write no number of another kind or of an earlier format')
  }
  const isChanged = !isDeepStrictEqual(series, seriesOf(numbers, counter))
  return {
    numbers: isChanged ? { ...numbers, series: { ...numbers.series, [counter]: series } } : numbers,
    former: closed,
  }
}

/**
 * Changes how a merchant numbers its documents from now on. A number is unique within a merchant: a new format must differ
 * from the formats of other kinds and from earlier formats, and numbers are only raised. Throws number_taken.
 */
export const withNumberings = (state: State, change: NumberingsChange, moment: Moment): State =>
  numberedKinds.reduce((changed, kind) => {
    const wish = change[kind]
    return wish ? withNumbering(changed, kind, wish, moment) : changed
  }, state)
