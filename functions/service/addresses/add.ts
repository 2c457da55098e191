import { addAddress } from '../../../shared/clients/addresses.ts'
import { addressesAdd } from '../../../shared/contract/routes/addresses.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(addressesAdd, async ({ body, merchant, session, client }) =>
  addAddress(merchant, session.user.id, body.data, client),
)
