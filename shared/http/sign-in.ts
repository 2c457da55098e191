import type { Route } from '../contract/route.ts'
import { checkSession } from '../merchants/sessions.ts'
import { inTime } from './in-time.ts'
import type { Step } from './step.ts'

/** Signs the caller of a Service route in, before anything of the body is parsed. */
export const signIn = (route: Route): Step => ({
  before: async ({ event, context }) => {
    if (route.level !== 'service') return
    event.state.session = await inTime(context, checkSession(event.headers.authorization))
  },
})
