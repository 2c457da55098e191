import { editAddress } from '../../../shared/clients/addresses.ts'
import { addressesEdit } from '../../../shared/contract/routes/addresses.ts'
import { serveClient } from '../../../shared/http/serve-client.ts'

export const handler = serveClient(addressesEdit, async ({ body, merchant, client }) =>
  editAddress(merchant, body.id, body.data, client),
)
