import { deleteAddress } from '../../../shared/clients/addresses.ts'
import { addressesDelete } from '../../../shared/contract/addresses.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(addressesDelete, async ({ body, merchant, client }) =>
  deleteAddress(merchant, body.id, client),
)
