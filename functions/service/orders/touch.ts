import { ordersTouch } from '../../../shared/contract/routes/orders.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { touchOrder } from '../../../shared/orders/mark-read.ts'

export const handler = serveClient(ordersTouch, async ({ body, merchant, client }) =>
  touchOrder(merchant, body, client),
)
