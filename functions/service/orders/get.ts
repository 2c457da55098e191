import { ordersGet } from '../../../shared/contract/routes/order-reads.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { getOrder } from '../../../shared/orders/read.ts'

export const handler = serveClient(ordersGet, async ({ body, merchant, client }) =>
  getOrder(merchant, body, body.include, client),
)
