import { checkLogin } from '../../../shared/contract/routes/sign-in.ts'
import { serveMerchant } from '../../../shared/http/serve-merchant.ts'
import { timestamp } from '../../../shared/values/time.ts'

export const handler = serveMerchant(checkLogin, async ({ session }) => ({
  customers_id: session.merchant,
  expires: timestamp(session.expires * 1000),
}))
