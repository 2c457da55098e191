import { paymentsGetOpen } from '../../../shared/contract/routes/payments.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { listOpenPayments } from '../../../shared/payments/open.ts'

export const handler = serveMerchant(paymentsGetOpen, async ({ merchant, body }) => listOpenPayments(merchant, body))
