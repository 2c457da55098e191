import { productsGet } from '../../../shared/contract/products.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrice } from '../../../shared/price.ts'
import { findProduct } from '../../../shared/products/store.ts'

export const handler = serve(productsGet, async ({ body, merchant, client }) =>
  withClientPrice(await findProduct(merchant, body), client),
)
