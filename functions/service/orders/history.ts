import { ordersHistory } from '../../../shared/contract/routes/order-steps.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { orderHistory } from '../../../shared/orders/history.ts'

export const handler = serveMerchant(ordersHistory, async ({ body, merchant }) => orderHistory(merchant, body))
