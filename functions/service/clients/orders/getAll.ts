import { clientsOrdersGetAll } from '../../../../shared/contract/routes/order-reads.ts'
import { serveClient } from '../../../../shared/http/serve-client.ts'
import { listClientOrders } from '../../../../shared/orders/read.ts'

export const handler = serveClient(clientsOrdersGetAll, async ({ body, merchant, client }) =>
  listClientOrders(merchant, client, body, body.include),
)
