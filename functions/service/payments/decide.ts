import { paymentsDecide } from '../../../shared/contract/routes/payments.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { decidePayment } from '../../../shared/orders/checkout/review.ts'

export const handler = serveMerchant(paymentsDecide, async ({ merchant, session, body }) =>
  decidePayment(merchant, body, session.user.name),
)
