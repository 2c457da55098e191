import { basketsGet } from '../../../shared/contract/baskets.ts'
import { serve } from '../../../shared/http/serve.ts'
import { openBasket } from '../../../shared/orders/baskets/store.ts'
import { basketView } from '../../../shared/orders/baskets/view.ts'

export const handler = serve(basketsGet, async ({ body, merchant, client }) =>
  basketView(merchant, (await openBasket(merchant, body.uuid)).basket, client),
)
