import { basketsEdit } from '../../../shared/contract/baskets.ts'
import { serve } from '../../../shared/http/serve.ts'
import { replaceItems } from '../../../shared/orders/baskets/store.ts'
import { basketView } from '../../../shared/orders/baskets/view.ts'

export const handler = serve(basketsEdit, async ({ body, merchant, client }) =>
  basketView(
    merchant,
    await replaceItems(merchant, body.uuid, body.data.basketItems, { inshop: body.inshop === 1 }),
    client,
  ),
)
