import { findProduct } from '../../../shared/catalogue/products/store.ts'
import { productsGet } from '../../../shared/contract/products.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrice } from '../../../shared/values/price.ts'

export const handler = serve(productsGet, async ({ body, merchant, client }) =>
  withClientPrice(await findProduct(merchant, body), client),
)
