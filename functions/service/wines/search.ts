import { pageWithAliases } from '../../../shared/catalogue/wines/aliases.ts'
import { listWines } from '../../../shared/catalogue/wines/lists.ts'
import { winesSearch } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/values/price.ts'

export const handler = serve(winesSearch, async ({ body, merchant, client, baseUrl }) =>
  pageWithAliases(withClientPrices(await listWines(merchant, body, baseUrl), client)),
)
