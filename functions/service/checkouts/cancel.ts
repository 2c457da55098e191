import { checkoutsCancel } from '../../../shared/contract/routes/checkout.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { cancelOrder } from '../../../shared/orders/checkout/cancel.ts'
import { identifierOf } from '../../../shared/orders/store.ts'

export const handler = serveClient(checkoutsCancel, async ({ body, merchant, session, client }) =>
  cancelOrder(merchant, identifierOf(body), session.user.name, client),
)
