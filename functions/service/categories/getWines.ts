import { categoriesGetWines } from '../../../shared/contract/categories.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/price.ts'
import { pageWithAliases } from '../../../shared/wines/aliases.ts'
import { listCategory } from '../../../shared/wines/lists.ts'

export const handler = serve(categoriesGetWines, async ({ body, merchant, client }) =>
  pageWithAliases(withClientPrices(await listCategory(merchant, body), client)),
)
