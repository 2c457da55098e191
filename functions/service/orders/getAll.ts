import { ordersGetAll } from '../../../shared/contract/orders.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listOrders } from '../../../shared/orders/read.ts'

export const handler = serve(ordersGetAll, async ({ body, merchant }) => listOrders(merchant, body, body.include))
