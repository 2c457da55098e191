import { listAddresses } from '../../../shared/clients/addresses.ts'
import { addressesGetAll } from '../../../shared/contract/addresses.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(addressesGetAll, async ({ body, merchant, client }) =>
  listAddresses(merchant, body, client),
)
