import { ordersGetAll } from '../../../shared/contract/routes/order-reads.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { listClientOrders, listOrders } from '../../../shared/orders/read.ts'

export const handler = serveClient(ordersGetAll, async ({ body, merchant, client }) =>
  client ? listClientOrders(merchant, client, body, body.include) : listOrders(merchant, body, body.include),
)
