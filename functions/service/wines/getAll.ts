import { listWines } from '../../../shared/catalogue/wines/lists.ts'
import { pageWithAliases } from '../../../shared/catalogue/wines/store.ts'
import { winesGetAll } from '../../../shared/contract/routes/wine-lists.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { withClientPrices } from '../../../shared/values/money.ts'

export const handler = serveClient(winesGetAll, async ({ body, merchant, client, baseUrl }) =>
  pageWithAliases(withClientPrices(await listWines(merchant, body, baseUrl), client)),
)
