import type { Route } from '../contract/route.ts'
import { checkSession, type SignedIn } from '../merchants/sessions.ts'
import { countOne } from '../quotas/rates.ts'
import { inTime } from './in-time.ts'
import type { Step } from './step.ts'

const signedIn = async (authorization: string | undefined): Promise<SignedIn> => {
  const session = await checkSession(authorization)
  await countOne(session.merchant, 'requests')
  return session
}

/** Signs the caller of a Service route in, and counts the merchant's requests, before anything of the body is parsed. */
export const signIn = (route: Route): Step => ({
  before: async ({ event, context }) => {
    if (route.level !== 'service') return
    event.state.session = await inTime(context, signedIn(event.headers.authorization))
  },
})
