import { checkHash } from '../../../shared/clients/accounts.ts'
import { clientsValidatePasswordHash, hashIn } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsValidatePasswordHash, async ({ body, merchant }) =>
  checkHash(merchant, hashIn(body)),
)
