import { ordersGet } from '../../../shared/contract/orders.ts'
import { serve } from '../../../shared/http/serve.ts'
import { getOrder } from '../../../shared/orders/read.ts'

export const handler = serve(ordersGet, async ({ body, merchant, client }) =>
  getOrder(merchant, body, body.include, client),
)
