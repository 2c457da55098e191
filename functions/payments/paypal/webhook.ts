import { paypalWebhook } from '../../../shared/contract/routes/webhooks.ts'
import { serve } from '../../../shared/http/serve.ts'
import { handlePayPalEvent } from '../../../shared/orders/checkout/paypal-event.ts'

export const handler = serve(paypalWebhook, async ({ body, headers, rawBody }) => ({
  handled: await handlePayPalEvent(body, { headers, body: rawBody }),
}))
