import { basketsAdd } from '../../../shared/contract/routes/baskets.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { addBasket } from '../../../shared/orders/baskets/store.ts'

export const handler = serveClient(basketsAdd, async ({ merchant }) => {
  const { uuid } = await addBasket(merchant)
  return { uuid, basketItems: [], order_uuid: null, min_age: null }
})
