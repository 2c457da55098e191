import { pageWithAliases } from '../../../shared/catalogue/wines/aliases.ts'
import { listType } from '../../../shared/catalogue/wines/lists.ts'
import { winesGetByType } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/values/price.ts'

export const handler = serve(winesGetByType, async ({ body, merchant, client }) => {
  const { type, max, ...asked } = body
  const pageSize = asked.pageSize ?? max
  return pageWithAliases(withClientPrices(await listType(merchant, type, { ...asked, pageSize }), client))
})
