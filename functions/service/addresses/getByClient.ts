import { listAddresses } from '../../../shared/clients/addresses.ts'
import { addressesGetByClient } from '../../../shared/contract/routes/addresses.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(addressesGetByClient, async ({ body, merchant, client }) =>
  listAddresses(merchant, body, client),
)
