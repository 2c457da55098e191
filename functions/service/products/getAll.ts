import { productsGetAll } from '../../../shared/contract/products.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/price.ts'
import { listProducts } from '../../../shared/products/store.ts'

export const handler = serve(productsGetAll, async ({ body, merchant, client }) =>
  withClientPrices(await listProducts(merchant, body), client),
)
