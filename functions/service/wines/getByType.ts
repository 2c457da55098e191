import { listType } from '../../../shared/catalogue/wines/lists.ts'
import { pageWithAliases } from '../../../shared/catalogue/wines/store.ts'
import { winesGetByType } from '../../../shared/contract/routes/wine-lists.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { withClientPrices } from '../../../shared/values/money.ts'

export const handler = serveClient(winesGetByType, async ({ body, merchant, client }) => {
  const { type, max, ...asked } = body
  const pageSize = asked.pageSize ?? max
  return pageWithAliases(withClientPrices(await listType(merchant, type, { ...asked, pageSize }), client))
})
