import { winesGet } from '../../../shared/contract/wines.ts'
import { serve } from '../../../shared/http/serve.ts'
import { withClientPrice } from '../../../shared/price.ts'
import { findWine } from '../../../shared/wines/store.ts'

export const handler = serve(winesGet, async ({ body, merchant, client }) =>
  withClientPrice(await findWine(merchant, body), client),
)
