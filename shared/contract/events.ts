import * as v from 'valibot'
import { paymentTypes, statuses } from './vocabulary.ts'
import { Timestamp, word } from './wire.ts'

/** The `source` of all events on the EventBridge bus. */
export const eventSource = 'weinkontor'

/**
 * The version of all details. Adding a field keeps it; removing one or changing its meaning raises it.
 */
export const eventSchema = 1

const common = {
  schema: v.pipe(v.literal(eventSchema), v.description('The version of this schema.')),
  id: v.pipe(v.string(), v.description('The event: the same one told again has the same id.')),
  customers_id: v.pipe(v.number(), v.description('The merchant.')),
  time: v.pipe(Timestamp, v.description('When it happened, UTC.')),
}

/** The detail of an order event: enough to decide whether to read the order, without personal data. */
export const OrderEventDetail = v.object({
  ...common,
  sequence: v.pipe(v.number(), v.description('The place of the event among those of its order: 1, 2, 3 and so on.')),
  order_id: v.number(),
  uuid: v.pipe(v.string(), v.description('What orders/get takes.')),
  number: v.string(),
  status: v.pipe(word(statuses), v.description('The status of the order after what was written along with the event.')),
  paid: v.boolean(),
  payment_type: word(paymentTypes),
  net: v.string(),
  tax: v.string(),
  gross: v.string(),
})

export const WineEventDetail = v.object({
  ...common,
  sequence: v.pipe(
    v.number(),
    v.description('The version of the wine. It rises with each change; of changes in a row the last one is told.'),
  ),
  wine_id: v.pipe(v.number(), v.description('What wines/get takes.')),
  articlenumber: v.nullable(v.string()),
})

export type OrderEventDetail = v.InferOutput<typeof OrderEventDetail>
export type WineEventDetail = v.InferOutput<typeof WineEventDetail>

type EventSchema = { detail: typeof OrderEventDetail | typeof WineEventDetail; summary: string }

/** All events by EventBridge's `detail-type`. */
export const eventTypes = {
  'order.placed': { detail: OrderEventDetail, summary: 'An order was placed.' },
  'order.paid': { detail: OrderEventDetail, summary: 'The money of an order has come.' },
  'order.refunded': {
    detail: OrderEventDetail,
    summary: 'Money of a paid order went back at the payment provider, all of it or a part.',
  },
  'order.shipped': { detail: OrderEventDetail, summary: 'An order was handed over for delivery.' },
  'order.cancelled': { detail: OrderEventDetail, summary: 'An order was cancelled, or nobody paid it in time.' },
  'wine.changed': { detail: WineEventDetail, summary: 'A wine is new or has changed.' },
} as const satisfies Record<string, EventSchema>

type EventType = keyof typeof eventTypes
export type OrderEventType = Exclude<EventType, 'wine.changed'>

export type BusEvent = { type: EventType; detail: OrderEventDetail | WineEventDetail }
