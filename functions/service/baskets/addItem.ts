import { basketsAddItem } from '../../../shared/contract/baskets.ts'
import { serve } from '../../../shared/http/serve.ts'
import { addItem } from '../../../shared/orders/baskets/store.ts'
import { basketView } from '../../../shared/orders/baskets/view.ts'

export const handler = serve(basketsAddItem, async ({ body, merchant, client }) =>
  basketView(merchant, await addItem(merchant, body.uuid, body.data, { inshop: body.inshop === 1 }), client),
)
