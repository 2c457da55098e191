import { listCategory } from '../../../shared/catalogue/wines/category-lists.ts'
import { pageWithAliases } from '../../../shared/catalogue/wines/store.ts'
import { categoriesGetWines } from '../../../shared/contract/routes/wine-lists.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { withClientPrices } from '../../../shared/values/money.ts'

export const handler = serveClient(categoriesGetWines, async ({ body, merchant, client }) =>
  pageWithAliases(withClientPrices(await listCategory(merchant, body), client)),
)
