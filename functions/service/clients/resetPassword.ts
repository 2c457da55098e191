import { resetPassword } from '../../../shared/clients/accounts.ts'
import { clientsResetPassword, oneTimeTokenIn } from '../../../shared/contract/routes/clients.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(clientsResetPassword, async ({ body, merchant }) =>
  resetPassword(merchant, oneTimeTokenIn(body), body.password),
)
