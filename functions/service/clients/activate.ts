import { activate } from '../../../shared/clients/accounts.ts'
import { clientsActivate, oneTimeTokenIn } from '../../../shared/contract/routes/clients.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(clientsActivate, async ({ body, merchant }) =>
  activate(merchant, oneTimeTokenIn(body)),
)
