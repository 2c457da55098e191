import { describeOneTimeToken } from '../../../shared/clients/accounts.ts'
import { clientsValidatePasswordHash, oneTimeTokenIn } from '../../../shared/contract/routes/clients.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'

export const handler = serveMerchant(clientsValidatePasswordHash, async ({ body, merchant }) =>
  describeOneTimeToken(merchant, oneTimeTokenIn(body)),
)
