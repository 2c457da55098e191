import { checkoutFinish } from '../../../../shared/contract/routes/checkout.ts'
import { serveMerchant } from '../../../../shared/http/serve-merchant.ts'
import { finishOrder } from '../../../../shared/orders/checkout/finish.ts'

export const handler = serveMerchant(checkoutFinish, async ({ body, merchant, session }) =>
  finishOrder(merchant, body, session.user.name),
)
