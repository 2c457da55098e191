import { ordersGetAll } from '../../../shared/contract/orders.ts'
import { serve } from '../../../shared/http/serve.ts'
import { listClientOrders, listOrders } from '../../../shared/orders/read.ts'

export const handler = serve(ordersGetAll, async ({ body, merchant, client }) =>
  client ? listClientOrders(merchant, client, body, body.include) : listOrders(merchant, body, body.include),
)
