import * as v from 'valibot'
import { Timestamp, word } from './schema/wire.ts'
import { paymentTypes, statuses } from './vocabulary.ts'

/** The `source` of all events on the EventBridge bus. */
export const eventSource = 'weinkontor'

/**
 * The version of all details. Adding a field keeps it; removing a field or changing its meaning raises it.
 */
export const eventSchema = 1

const common = {
  schema: v.pipe(v.literal(eventSchema), v.description('Version of this schema.')),
  id: v.pipe(v.string(), v.description('Id of the event. An event that is published again has the same id.')),
  customers_id: v.pipe(v.number(), v.description('Id of the merchant.')),
  time: v.pipe(Timestamp, v.description('Time of the event, UTC.')),
}

/** The detail of an order event: enough to decide whether to read the order, without personal data. */
export const OrderEventDetail = v.object({
  ...common,
  sequence: v.pipe(v.number(), v.description('Number of the event among those of its order: 1, 2, 3 and so on.')),
  order_id: v.number(),
  uuid: v.pipe(v.string(), v.description('UUID of the order, for orders/get.')),
  number: v.string(),
  status: v.pipe(word(statuses), v.description('Status of the order after the event.')),
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
    v.description(
      'Version of the wine. It rises with each change. Of several changes in quick succession, only the last is published.',
    ),
  ),
  wine_id: v.pipe(v.number(), v.description('Id of the wine, for wines/get.')),
  articlenumber: v.nullable(v.string()),
})

export type OrderEventDetail = v.InferOutput<typeof OrderEventDetail>
export type WineEventDetail = v.InferOutput<typeof WineEventDetail>

type EventSchema = { detail: typeof OrderEventDetail | typeof WineEventDetail; summary: string }

/** All events by EventBridge's `detail-type`. */
export const eventTypes = {
  'order.placed': { detail: OrderEventDetail, summary: 'An order was placed.' },
  'order.paid': { detail: OrderEventDetail, summary: 'An order was paid.' },
  'order.refunded': {
    detail: OrderEventDetail,
    summary: 'The payment of an order was refunded at the payment provider, fully or in part.',
  },
  'order.credited': { detail: OrderEventDetail, summary: 'Goods of an invoiced order were credited.' },
  'order.shipped': { detail: OrderEventDetail, summary: 'An order was shipped.' },
  'order.cancelled': { detail: OrderEventDetail, summary: 'An order was cancelled, or was not paid in time.' },
  'wine.changed': { detail: WineEventDetail, summary: 'A wine was added or changed.' },
} as const satisfies Record<string, EventSchema>

type EventType = keyof typeof eventTypes
export type OrderEventType = Exclude<EventType, 'wine.changed'>

export type BusEvent = { type: EventType; detail: OrderEventDetail | WineEventDetail }
