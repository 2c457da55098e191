import { logout } from '../../shared/contract/routes/sign-in.ts'
import { serveMerchant } from '../../shared/http/serve-merchant.ts'
import { endSession } from '../../shared/merchants/sessions.ts'
import { timestamp } from '../../shared/values/time.ts'

export const handler = serveMerchant(logout, async ({ headers, session }) => {
  await endSession(headers.authorization)
  return { customers_id: session.merchant, expires: timestamp(Date.now()) }
})
