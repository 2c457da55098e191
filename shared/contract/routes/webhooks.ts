import * as v from 'valibot'
import { route } from '../route.ts'
import { described, filled } from '../schema/wire.ts'
import { writesOrders } from './checkout.ts'

/** An event as PayPal sends it. The form of `resource` depends on the event; only the payment's ids are read. */
export const PayPalEvent = v.object({
  id: described(filled(), 'Id of the event.'),
  event_type: described(filled(), 'Type of the event, as `PAYMENT.CAPTURE.COMPLETED`.'),
  resource: described(v.unknown(), 'The object that the event is about.'),
})

export type PayPalEvent = v.InferOutput<typeof PayPalEvent>

export const paypalWebhook = route({
  path: '/payments/paypal/webhook',
  level: 'webhook',
  envelope: 'bare',
  permissions: { ...writesOrders, paymentOwner: ['get'], webhookEvent: ['put'] },
  secrets: true,
  timeout: 29,
  body: PayPalEvent,
  response: v.object({ handled: described(v.boolean(), 'True if the event was about a payment of this service.') }),
  errors: ['payment_provider_error', 'payment_provider_timeout'],
  summary:
    "Receives an event of PayPal and reconciles the payment that it is about. Trusts only the event's signature.",
})
