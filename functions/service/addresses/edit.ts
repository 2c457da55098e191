import { editAddress } from '../../../shared/clients/addresses.ts'
import { addressesEdit } from '../../../shared/contract/addresses.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(addressesEdit, async ({ body, merchant, client }) =>
  editAddress(merchant, body.id, body.data, client),
)
