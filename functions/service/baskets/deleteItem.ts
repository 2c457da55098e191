import { basketsDeleteItem } from '../../../shared/contract/routes/baskets.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { deleteItem } from '../../../shared/orders/baskets/store.ts'
import { basketView } from '../../../shared/orders/baskets/view.ts'

export const handler = serveClient(basketsDeleteItem, async ({ body, merchant, client }) =>
  basketView(merchant, await deleteItem(merchant, body.id), client),
)
