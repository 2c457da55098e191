import { listAddresses } from '../../../shared/clients/addresses.ts'
import { addressesGetAll } from '../../../shared/contract/routes/addresses.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(addressesGetAll, async ({ body, merchant, client }) =>
  listAddresses(merchant, body, client),
)
