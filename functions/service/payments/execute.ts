import { paymentsExecute } from '../../../shared/contract/routes/checkout.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { executePayment } from '../../../shared/orders/checkout/execute.ts'

export const handler = serveMerchant(paymentsExecute, async ({ body, merchant, session }) =>
  executePayment(merchant, body.uuid, session.user.name),
)
