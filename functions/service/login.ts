import { login } from '../../shared/contract/routes/sign-in.ts'
import { serve } from '../../shared/http/serve.ts'
import { login as signIn } from '../../shared/merchants/login.ts'
import { timestamp } from '../../shared/values/time.ts'

export const handler = serve(login, async ({ body, sourceIp }) => {
  const { token, expires } = await signIn(body.authid, body.token, sourceIp)
  return { token, refreshToken: '', expires: timestamp(expires * 1000) } as const
})
