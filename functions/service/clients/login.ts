import { loginClient } from '../../../shared/clients/login.ts'
import { clientsLogin } from '../../../shared/contract/routes/clients.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(clientsLogin, async ({ body, merchant, received }) =>
  loginClient(merchant, body, received),
)
