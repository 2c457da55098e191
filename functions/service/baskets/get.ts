import { basketsGet } from '../../../shared/contract/routes/baskets.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { openBasket } from '../../../shared/orders/baskets/store.ts'
import { basketView } from '../../../shared/orders/baskets/view.ts'

export const handler = serveClient(basketsGet, async ({ body, merchant, client }) =>
  basketView(merchant, (await openBasket(merchant, body.uuid)).basket, client),
)
