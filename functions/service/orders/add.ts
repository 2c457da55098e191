import { ordersAdd } from '../../../shared/contract/orders.ts'
import { serve } from '../../../shared/http/serve.ts'
import { placeOrder } from '../../../shared/orders/place.ts'

export const handler = serve(ordersAdd, async ({ body, merchant, session }) =>
  placeOrder({ merchant, user: session.user }, body.data),
)
