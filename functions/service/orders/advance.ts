import { ordersAdvance } from '../../../shared/contract/routes/order-steps.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { advanceIdentified } from '../../../shared/orders/advance.ts'

export const handler = serveMerchant(ordersAdvance, async ({ body, merchant, session }) =>
  advanceIdentified(merchant, body, session.user.name),
)
