import { winesGetByType } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrices } from '../../../shared/price.ts'
import { pageWithAliases } from '../../../shared/wines/aliases.ts'
import { listType } from '../../../shared/wines/lists.ts'

export const handler = serve(winesGetByType, async ({ body, merchant, client }) => {
  const { type, max, ...asked } = body
  const pageSize = asked.pageSize ?? max
  return pageWithAliases(withClientPrices(await listType(merchant, type, { ...asked, pageSize }), client))
})
