import { getAddress } from '../../../shared/clients/addresses.ts'
import { addressesGet } from '../../../shared/contract/routes/addresses.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(addressesGet, async ({ body, merchant, client }) =>
  getAddress(merchant, body.id, client),
)
