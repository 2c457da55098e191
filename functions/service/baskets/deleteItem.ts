import { deleteItem } from '../../../shared/baskets/store.ts'
import { basketView } from '../../../shared/baskets/view.ts'
import { basketsDeleteItem } from '../../../shared/contract/baskets.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(basketsDeleteItem, async ({ body, merchant, client }) =>
  basketView(merchant, await deleteItem(merchant, body.id), client),
)
