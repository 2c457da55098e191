import { getAddress } from '../../../shared/clients/addresses.ts'
import { addressesGet } from '../../../shared/contract/addresses.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(addressesGet, async ({ body, merchant, client }) => getAddress(merchant, body.id, client))
