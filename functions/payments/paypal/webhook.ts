import { paypalWebhook } from '../../../shared/contract/webhooks.ts'
import { serve } from '../../../shared/http/serve.ts'
import { takePayPalEvent } from '../../../shared/orders/checkout/paypal-event.ts'

export const handler = serve(paypalWebhook, async ({ body, headers, rawBody }) => ({
  handled: await takePayPalEvent(body, { headers, body: rawBody }),
}))
