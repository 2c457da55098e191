import { checkLogin } from '../../../shared/contract/sign-in.ts'
import { serve } from '../../../shared/http/serve.ts'
import { timestamp } from '../../../shared/values/time.ts'

export const handler = serve(checkLogin, async ({ session }) => ({
  customers_id: session.merchant,
  expires: timestamp(session.expires * 1000),
}))
