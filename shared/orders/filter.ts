import { Problem } from '../contract/errors.ts'
import type { OrderChoice } from '../contract/routes/order-reads.ts'
import { isUuid } from '../contract/schema/wire.ts'
import { readMerchant, timeZoneOf } from '../merchants/settings.ts'
import type { Series } from '../platform/table/items.ts'
import { indexKey, indexKeyPrefix, key, type MerchantId, partition, sortable } from '../platform/table/keys.ts'
import { getItem, queryPages } from '../platform/table/table.ts'
import { dayOf, endOf, laterDay, startOf } from '../values/day.ts'
import { readNumber } from '../values/number-format.ts'
import { fold } from '../values/text.ts'
import { parseTimestamp } from '../values/time.ts'
import { type OrderRecord, orderOf } from './record.ts'

// Orders read for a page, about 50 MB: two to three seconds.
const maxRead = 10_000

/** True if a request lists some orders only. */
export const isFiltered = ({ filter, from, to, query }: OrderChoice): boolean =>
  Boolean(from || to || query) || Object.values(filter ?? {}).some(values => values !== undefined)

const isDigits = (query: string): boolean => /^\d{1,16}$/.test(query)

const namesOf = (order: OrderRecord): string[] =>
  [order.client, order.billing, order.delivery].flatMap(one => {
    if (!one) return []
    const { name, company, mail } = { name: null, ...one }
    return [name, [one.first_name, one.last_name].filter(Boolean).join(' '), company, mail].filter(text => text != null)
  })

/** True if a search text is the order's number or uuid, or a part of a name or mail of its parties. */
const matchesQuery = (order: OrderRecord, query: string): boolean => {
  if (isUuid(query)) return order.header.uuid === query.toLowerCase()
  if (isDigits(query) || order.header.number === query) return order.header.number === query
  const wanted = fold(query)
  return namesOf(order).some(text => fold(text).includes(wanted))
}

const readTimeZone = async (merchant: MerchantId): Promise<string> => timeZoneOf(await readMerchant(merchant))

/** The first moment of the days that are asked for, and the first after them, in epoch milliseconds. */
type Period = { from?: number | undefined; to?: number | undefined }

const periodOf = async (merchant: MerchantId, { from, to }: OrderChoice): Promise<Period> => {
  if (!from && !to) return {}
  const zone = await readTimeZone(merchant)
  return { from: from ? startOf(from, zone) : undefined, to: to ? endOf(to, zone) : undefined }
}

const matches = ({ filter = {}, query }: OrderChoice, { from, to }: Period, order: OrderRecord): boolean => {
  const { status, paid, payment_type, client_id, source, crstamp } = order.header
  const has = <T>(values: readonly T[] | undefined, value: T): boolean => values?.includes(value) ?? true
  return (
    has(filter.status, status) &&
    has(filter.paid, paid ? 1 : 0) &&
    has(filter.payment_type, payment_type) &&
    has<number | null>(filter.client_id, client_id) &&
    has(filter.source, source) &&
    (from === undefined || parseTimestamp(crstamp) >= from) &&
    (to === undefined || parseTimestamp(crstamp) < to) &&
    (!query || matchesQuery(order, query))
  )
}

// An order's time is when its request came; its number is given up to half a minute later.
const slack = 3_600_000

type Span = { first: number; last: number }

const crstampOf = async (merchant: MerchantId, id: number): Promise<string | undefined> => {
  const item = await getItem(key('order', { merchant, id }))
  return item && orderOf(item).header.crstamp
}

/** Binary search: the first number up to `last` + 1 whose order was placed at a time or later. */
const firstFrom = async (merchant: MerchantId, moment: number, last: number): Promise<number> => {
  let [low, high] = [1, last + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const crstamp = await crstampOf(merchant, middle)
    // An order that does not show yet is among the newest.
    if (crstamp === undefined || parseTimestamp(crstamp) >= moment) high = middle
    else low = middle + 1
  }
  return low
}

/** The id of the order with a number, as far as the merchant's present format and period tell; undefined if they do not. */
const idOfNumber = async (
  merchant: MerchantId,
  number: string,
  series: Series | undefined,
): Promise<number | undefined> => {
  if (!series) return isDigits(number) ? Number(number) : undefined
  const n = readNumber(series.format, series.period, number)
  const id = n === undefined ? 0 : n + series.offset
  const item = id > 0 ? await getItem(key('order', { merchant, id })) : undefined
  return item && orderOf(item).header.number === number ? id : undefined
}

/** The span of numbers that contains all orders of the period, or the one with the number or uuid. */
const spanOf = async (merchant: MerchantId, { query }: OrderChoice, { from, to }: Period): Promise<Span> => {
  if (query && isUuid(query)) {
    const id = (await getItem(key('orderUuid', { merchant, uuid: query.toLowerCase() })))?.id ?? 0
    return { first: id, last: id }
  }
  const counter = await getItem(key('numbers', { merchant, counter: 'orders' }))
  const numbered = query ? await idOfNumber(merchant, query, counter?.series) : undefined
  if (numbered !== undefined) return { first: numbered, last: numbered }
  const newest = counter?.last ?? 0
  const first = from === undefined ? 1 : await firstFrom(merchant, from - slack, newest)
  const last = to === undefined ? newest : (await firstFrom(merchant, to + slack, newest)) - 1
  return { first, last }
}

/** Throws validation_failed for too many orders, with the earliest day from which there are few enough. */
const checkSpan = async (merchant: MerchantId, { first, last }: Span): Promise<void> => {
  if (last - first < maxRead) return
  const latest = await crstampOf(merchant, last - maxRead)
  const day = latest && laterDay(dayOf(latest, await readTimeZone(merchant)), 1)
  const expected = `${day} or later, because at most ${maxRead} orders are read`
  throw new Problem('validation_failed', {
    details: `\`from\` must be ${expected}. To find earlier orders, also send \`to\` or one \`client_id\`, or read an order by its id.`,
    fields: [{ path: 'from', rule: 'range', expected }],
  })
}

/**
 * The orders that match a filter, newest first; with `owner` only that client's. Reads the orders of a client, or those of
 * the days (17 reads find them among 100,000): at most 10,000, about 1 MB a response of the table. Throws validation_failed
 * for more.
 */
export async function* matchingOrders(
  merchant: MerchantId,
  choice: OrderChoice,
  owner?: number,
): AsyncGenerator<OrderRecord> {
  const [only, ...others] = owner === undefined ? (choice.filter?.client_id ?? []) : [owner]
  const client = others.length === 0 ? only : undefined
  const period = await periodOf(merchant, choice)
  const isBounded = Boolean(choice.from || choice.to || choice.query)
  const span = isBounded || client === undefined ? await spanOf(merchant, choice, period) : undefined
  if (span && span.first > span.last) return
  if (span && client === undefined) await checkSpan(merchant, span)
  const place = (id: number) => (client === undefined ? sortable(id) : indexKey('order', { client, id }))
  const pages = queryPages({
    pk: partition('order', { merchant }),
    descending: true,
    indexed: client !== undefined,
    ...(span ? { between: [place(span.first), place(span.last)] } : { prefix: indexKeyPrefix('order', { client }) }),
  })
  for await (const entries of pages) {
    for (const { item } of entries) {
      const order = orderOf(item)
      if (matches(choice, period, order)) yield order
    }
  }
}
