import { forgottenPassword } from '../../../shared/clients/accounts.ts'
import { clientsGetPasswordHash } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsGetPasswordHash, async ({ body, merchant }) =>
  forgottenPassword(merchant, body.mail),
)
