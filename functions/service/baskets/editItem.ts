import { basketsEditItem } from '../../../shared/contract/baskets.ts'
import { serve } from '../../../shared/http/serve.ts'
import { editItem } from '../../../shared/orders/baskets/store.ts'
import { basketView } from '../../../shared/orders/baskets/view.ts'

export const handler = serve(basketsEditItem, async ({ body, merchant, client }) =>
  basketView(merchant, await editItem(merchant, body.id, body.data.quantity, { inshop: body.inshop === 1 }), client),
)
