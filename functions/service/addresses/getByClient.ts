import { listAddresses } from '../../../shared/clients/addresses.ts'
import { addressesGetByClient } from '../../../shared/contract/addresses.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(addressesGetByClient, async ({ body, merchant, client }) =>
  listAddresses(merchant, body, client),
)
