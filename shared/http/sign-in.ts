import type { Route } from '../contract/route.ts'
import { checkSession } from '../merchants/sessions.ts'
import { countOne } from '../quotas/rates.ts'
import type { Step } from './step.ts'

/** Signs the caller of a Service route in, and counts the merchant's requests, before anything of the body is parsed. */
export const signIn = (route: Route): Step => ({
  before: async ({ event }) => {
    if (route.level !== 'service') return
    event.state.session = await checkSession(event.headers.authorization)
    await countOne(event.state.session.merchant, 'requests')
  },
})
