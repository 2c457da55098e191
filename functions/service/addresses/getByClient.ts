import { listAddresses } from '../../../shared/addresses/store.ts'
import { addressesGetByClient } from '../../../shared/contract/addresses.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(addressesGetByClient, async ({ body, merchant, client }) =>
  listAddresses(merchant, body, client),
)
