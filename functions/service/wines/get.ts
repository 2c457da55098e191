import { winesGet } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrice } from '../../../shared/price.ts'
import { withAliases } from '../../../shared/wines/aliases.ts'
import { findWine } from '../../../shared/wines/store.ts'

export const handler = serve(winesGet, async ({ body, merchant, client }) =>
  withAliases(withClientPrice(await findWine(merchant, body), client)),
)
