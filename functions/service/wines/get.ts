import { withAliases } from '../../../shared/catalogue/wines/aliases.ts'
import { findWine } from '../../../shared/catalogue/wines/store.ts'
import { winesGet } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrice } from '../../../shared/values/price.ts'

export const handler = serve(winesGet, async ({ body, merchant, client }) =>
  withAliases(withClientPrice(await findWine(merchant, body), client)),
)
