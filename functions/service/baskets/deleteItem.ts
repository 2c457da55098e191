import { basketsDeleteItem } from '../../../shared/contract/baskets.ts'
import { serve } from '../../../shared/http/serve.ts'
import { deleteItem } from '../../../shared/orders/baskets/store.ts'
import { basketView } from '../../../shared/orders/baskets/view.ts'

export const handler = serve(basketsDeleteItem, async ({ body, merchant, client }) =>
  basketView(merchant, await deleteItem(merchant, body.id), client),
)
