import { clientsOrdersGetAll } from '../../../../shared/contract/clients.ts'
import { serve } from '../../../../shared/http/serve.ts'
import { listClientOrders } from '../../../../shared/orders/read.ts'

export const handler = serve(clientsOrdersGetAll, async ({ body, merchant, client }) =>
  listClientOrders(merchant, client, body, body.include),
)
