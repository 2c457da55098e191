import { loginClient } from '../../../shared/clients/sessions.ts'
import { clientsLogin } from '../../../shared/contract/clients.ts'
import { serve } from '../../../shared/http/serve.ts'

export const handler = serve(clientsLogin, async ({ body, merchant, received }) =>
  loginClient(merchant, body, received),
)
