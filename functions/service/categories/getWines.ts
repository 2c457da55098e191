import { pageWithAliases } from '../../../shared/catalogue/wines/aliases.ts'
import { listCategory } from '../../../shared/catalogue/wines/lists.ts'
import { categoriesGetWines } from '../../../shared/contract/categories.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/values/price.ts'

export const handler = serve(categoriesGetWines, async ({ body, merchant, client }) =>
  pageWithAliases(withClientPrices(await listCategory(merchant, body), client)),
)
