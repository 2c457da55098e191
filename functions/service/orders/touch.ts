import { ordersTouch } from '../../../shared/contract/orders.ts'
import { serve } from '../../../shared/http/serve.ts'
import { touchOrder } from '../../../shared/orders/touch.ts'

export const handler = serve(ordersTouch, async ({ body, merchant, client }) => touchOrder(merchant, body, client))
