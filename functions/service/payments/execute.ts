import { paymentsExecute } from '../../../shared/contract/checkout.ts'
import { serve } from '../../../shared/http/serve.ts'
import { executePayment } from '../../../shared/orders/checkout/execute.ts'

export const handler = serve(paymentsExecute, async ({ body, merchant, session }) =>
  executePayment(merchant, body.uuid, session.user.name),
)
