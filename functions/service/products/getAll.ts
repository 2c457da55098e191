import { listProducts } from '../../../shared/catalogue/products/store.ts'
import { productsGetAll } from '../../../shared/contract/routes/products.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { withClientPrices } from '../../../shared/values/money.ts'

export const handler = serveClient(productsGetAll, async ({ body, merchant, client }) =>
  withClientPrices(await listProducts(merchant, body), client),
)
