import { pageWithAliases } from '../../../shared/catalogue/wines/aliases.ts'
import { listCategoryWith } from '../../../shared/catalogue/wines/lists.ts'
import { categoriesGetWithWines } from '../../../shared/contract/categories.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/values/price.ts'

export const handler = serve(categoriesGetWithWines, async ({ body, merchant, client }) =>
  pageWithAliases(withClientPrices(await listCategoryWith(merchant, body), client)),
)
