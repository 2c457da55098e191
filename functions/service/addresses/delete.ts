import { deleteAddress } from '../../../shared/clients/addresses.ts'
import { addressesDelete } from '../../../shared/contract/routes/addresses.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(addressesDelete, async ({ body, merchant, client }) =>
  deleteAddress(merchant, body.id, client),
)
