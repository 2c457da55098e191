import { checkoutCancel } from '../../../../shared/contract/checkout.ts'
import { serve } from '../../../../shared/http/serve.ts'
import { cancelOrder } from '../../../../shared/orders/checkout/cancel.ts'
import { identifierOf } from '../../../../shared/orders/store.ts'

export const handler = serve(checkoutCancel, async ({ body, merchant, session, client }) =>
  cancelOrder(merchant, identifierOf(body), session.user.name, client),
)
