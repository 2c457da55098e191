import { basketsAdd } from '../../../shared/contract/baskets.ts'
import { serve } from '../../../shared/http/serve.ts'
import { addBasket } from '../../../shared/orders/baskets/store.ts'

export const handler = serve(basketsAdd, async ({ merchant }) => {
  const { uuid } = await addBasket(merchant)
  return { uuid, basketItems: [], order_uuid: null }
})
