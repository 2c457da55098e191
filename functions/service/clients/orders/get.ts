import { clientsOrdersGet } from '../../../../shared/contract/clients.ts'
import { serve } from '../../../../shared/http/serve.ts'
import { getOrder } from '../../../../shared/orders/read.ts'

export const handler = serve(clientsOrdersGet, async ({ body, merchant, client }) =>
  getOrder(merchant, body, body.include, client),
)
