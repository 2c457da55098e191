import { addAddress } from '../../../shared/clients/addresses.ts'
import { addressesAdd } from '../../../shared/contract/addresses.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(addressesAdd, async ({ body, merchant, session, client }) =>
  addAddress(merchant, session.user.id, body.data, client),
)
