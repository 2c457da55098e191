import { forgottenPassword } from '../../../shared/clients/accounts.ts'
import { clientsGetPasswordHash } from '../../../shared/contract/routes/clients.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(clientsGetPasswordHash, async ({ body, merchant }) =>
  forgottenPassword(merchant, body.mail),
)
