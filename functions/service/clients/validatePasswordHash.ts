import { checkHash } from '../../../shared/clients/accounts.ts'
import { clientsValidatePasswordHash, hashIn } from '../../../shared/contract/clients.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(clientsValidatePasswordHash, async ({ body, merchant }) =>
  checkHash(merchant, hashIn(body)),
)
