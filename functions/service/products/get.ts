import { findProduct } from '../../../shared/catalogue/products/store.ts'
import { productsGet } from '../../../shared/contract/routes/products.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { withClientPrice } from '../../../shared/values/money.ts'

export const handler = serveClient(productsGet, async ({ body, merchant, client }) =>
  withClientPrice(await findProduct(merchant, body), client),
)
