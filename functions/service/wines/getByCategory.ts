import { pageWithAliases } from '../../../shared/catalogue/wines/aliases.ts'
import { listCategory } from '../../../shared/catalogue/wines/lists.ts'
import { winesGetByCategory } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/values/price.ts'

export const handler = serve(winesGetByCategory, async ({ body, merchant, client }) =>
  pageWithAliases(withClientPrices(await listCategory(merchant, body), client)),
)
