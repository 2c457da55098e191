import { findWine, withAliases } from '../../../shared/catalogue/wines/store.ts'
import { winesGet } from '../../../shared/contract/routes/wines.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { withClientPrice } from '../../../shared/values/money.ts'

export const handler = serveClient(winesGet, async ({ body, merchant, client }) =>
  withAliases(withClientPrice(await findWine(merchant, body), client)),
)
