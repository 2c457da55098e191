import { openBasket } from '../../../shared/baskets/store.ts'
import { basketView } from '../../../shared/baskets/view.ts'
import { basketsGet } from '../../../shared/contract/baskets.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(basketsGet, async ({ body, merchant, client }) =>
  basketView(merchant, (await openBasket(merchant, body.uuid)).basket, client),
)
