import { winesSearch } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/price.ts'
import { pageWithAliases } from '../../../shared/wines/aliases.ts'
import { listWines } from '../../../shared/wines/lists.ts'

export const handler = serve(winesSearch, async ({ body, merchant, client, baseUrl }) =>
  pageWithAliases(withClientPrices(await listWines(merchant, body, baseUrl), client)),
)
