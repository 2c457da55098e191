import { basketsAddItem } from '../../../shared/contract/routes/baskets.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { addItem } from '../../../shared/orders/baskets/store.ts'
import { basketView } from '../../../shared/orders/baskets/view.ts'

export const handler = serveClient(basketsAddItem, async ({ body, merchant, client }) =>
  basketView(merchant, await addItem(merchant, body.uuid, body.data, { inshop: body.inshop === 1 }), client),
)
