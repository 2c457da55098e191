import { packagingFind } from '../../../shared/contract/routes/packaging.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'
import { findPackaging } from '../../../shared/orders/shipping/quote.ts'

export const handler = serveClient(packagingFind, async ({ body, merchant, client }) =>
  findPackaging(merchant, body, client),
)
