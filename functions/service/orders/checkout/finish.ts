import { checkoutFinish } from '../../../../shared/contract/checkout.ts'
import { serve } from '../../../../shared/http/serve.ts'
import { finishOrder } from '../../../../shared/orders/checkout/finish.ts'

export const handler = serve(checkoutFinish, async ({ body, merchant, session }) =>
  finishOrder(merchant, body, session.user.name),
)
