import { basketsEdit } from '../../../shared/contract/routes/baskets.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { replaceItems } from '../../../shared/orders/baskets/store.ts'
import { basketView } from '../../../shared/orders/baskets/view.ts'

export const handler = serveClient(basketsEdit, async ({ body, merchant, client }) =>
  basketView(
    merchant,
    await replaceItems(merchant, body.uuid, body.data.basketItems, { inshop: body.inshop === 1 }),
    client,
  ),
)
