import { listProducts } from '../../../shared/catalogue/products/store.ts'
import { productsGetAll } from '../../../shared/contract/products.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/values/price.ts'

export const handler = serve(productsGetAll, async ({ body, merchant, client }) =>
  withClientPrices(await listProducts(merchant, body), client),
)
