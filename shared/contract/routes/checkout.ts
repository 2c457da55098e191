import * as v from 'valibot'
import { ExecutedPayment, Order, Payment } from '../records/order.ts'
import { route } from '../route.ts'
import { described, filled, Id, NestedUuid, Uuid, word } from '../schema/wire.ts'
import { olderPaymentTypes, type PaymentType, paymentTypes } from '../vocabulary.ts'

const payments = {
  payment: ['get', 'update', 'put', 'check'],
  sandboxPayment: ['get', 'put', 'update'],
} as const

/** The permissions that changing an order needs. */
export const writesOrders = {
  numbers: ['batchGet', 'get', 'update'],
  order: ['batchGet', 'get', 'put'],
  orderItems: ['batchGet', 'put'],
  orderUuid: ['get', 'put'],
  outbox: ['put'],
  stock: ['batchGet', 'update'],
  basket: ['get', 'update'],
  merchant: ['batchGet', 'get'],
  ...payments,
} as const

export const OrderReference = v.object({
  id: described(v.nullish(Id), 'Id of the order; `id` or `uuid` must be given.'),
  uuid: described(v.nullish(NestedUuid), 'UUID of the order; also taken as `{"uuid": …}`.'),
})

const older: ReadonlyMap<string, PaymentType> = new Map(Object.entries(olderPaymentTypes))

/** The requested payment method, also in the words of older shops. */
export const AskedPaymentType = v.pipe(
  word([...paymentTypes, ...(Object.keys(olderPaymentTypes) as (keyof typeof olderPaymentTypes)[])]),
  v.transform(type => older.get(type) ?? (type as PaymentType)),
)

/** The data of checkout/finish; its values only select and compare. */
export const Finish = v.object({
  payment_type: described(AskedPaymentType, 'Payment type of the order.'),
  payment_id: described(v.nullish(Uuid), 'UUID of the payment, from the return URL.'),
  payment_uuid: described(v.nullish(Uuid), 'Another name of `payment_id`.'),
  order_id: described(v.nullish(Uuid), 'UUID of the order.'),
  order_uuid: described(v.nullish(Uuid), 'Another name of `order_id`.'),
  external_id: described(filled(), 'Id of the payment at its provider, from the return URL.'),
  payer_id: described(filled(), 'Id of the payer at the provider, from the return URL.'),
})

export type Finish = v.InferOutput<typeof Finish>

export const checkoutFinish = route({
  path: '/service/orders/checkout/finish',
  level: 'service',
  envelope: 'bare',
  permissions: writesOrders,
  // A payment is captured once; a repeated request gets the same answer.
  repeat: 'safe',
  secrets: true,
  timeout: 29,
  body: Finish,
  response: v.strictObject({ data: described(Order, 'The order.'), payment: described(Payment, 'Its payment.') }),
  errors: [
    'missing_identifier',
    'identifier_conflict',
    'order_not_found',
    'order_cancelled',
    'order_paid',
    'payment_in_progress',
    'payment_mismatch',
    'payment_not_approved',
    'payment_declined',
    'amount_mismatch',
    'payment_provider_error',
    'payment_provider_timeout',
  ],
  summary: 'Takes the payment that the buyer approved at a provider, and finishes its order.',
})

export const paymentsExecute = route({
  path: '/service/payments/execute',
  level: 'service',
  envelope: 'bare',
  permissions: { ...writesOrders, externalPayment: ['get'] },
  repeat: 'safe',
  secrets: true,
  timeout: 29,
  body: v.object({ uuid: described(filled(), 'UUID of the payment, or its id at the provider.') }),
  response: v.strictObject({
    data: described(ExecutedPayment, 'The payment.'),
    order: described(Order, 'Its order, with billing, delivery, client and positions.'),
  }),
  errors: [
    'payment_not_found',
    'order_cancelled',
    'order_paid',
    'payment_not_approved',
    'payment_declined',
    'amount_mismatch',
  ],
  summary: 'Finishes the order of a payment, by its uuid or external id; returns pending while the outcome is unknown.',
})

const cancelling = {
  level: 'service',
  client: 'narrows',
  permissions: writesOrders,
  // A cancelled order stays as it is.
  repeat: 'safe',
  secrets: true,
  timeout: 29,
  body: v.object({ ...OrderReference.entries, order_id: described(v.nullish(Uuid), 'Another name of `uuid`.') }),
  response: Order,
  errors: [
    'missing_identifier',
    'identifier_conflict',
    'order_not_found',
    'order_paid',
    'order_not_cancellable',
    'payment_in_progress',
    // The order is cancelled all the same; the sweep refunds the money.
    'payment_provider_error',
    'payment_provider_timeout',
  ],
} as const

export const checkoutCancel = route({
  path: '/service/orders/checkout/cancel',
  ...cancelling,
  summary: 'Cancels an order that is not paid.',
})

export const checkoutsCancel = route({
  path: '/service/checkouts/cancel',
  ...cancelling,
  summary: 'Cancels an order that is not paid; the same as orders/checkout/cancel.',
})
