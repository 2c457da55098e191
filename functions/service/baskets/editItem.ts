import { basketsEditItem } from '../../../shared/contract/routes/baskets.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { editItem } from '../../../shared/orders/baskets/store.ts'
import { basketView } from '../../../shared/orders/baskets/view.ts'

export const handler = serveClient(basketsEditItem, async ({ body, merchant, client }) =>
  basketView(merchant, await editItem(merchant, body.id, body.data.quantity, { inshop: body.inshop === 1 }), client),
)
