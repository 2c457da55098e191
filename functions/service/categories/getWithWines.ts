import { categoriesGetWithWines } from '../../../shared/contract/categories.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/price.ts'
import { pageWithAliases } from '../../../shared/wines/aliases.ts'
import { listCategoryWith } from '../../../shared/wines/lists.ts'

export const handler = serve(categoriesGetWithWines, async ({ body, merchant, client }) =>
  pageWithAliases(withClientPrices(await listCategoryWith(merchant, body), client)),
)
