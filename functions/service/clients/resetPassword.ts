import { resetPassword } from '../../../shared/clients/accounts.ts'
import { clientsResetPassword, hashIn } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsResetPassword, async ({ body, merchant }) =>
  resetPassword(merchant, hashIn(body), body.password),
)
