import { checkClient, clientOf } from '../clients/sessions.ts'
import type { Route } from '../contract/route.ts'
import { checkSession } from '../merchants/sessions.ts'
import { countOne } from '../quotas/rates.ts'
import { inTime } from './in-time.ts'
import type { ServedEvent, Step } from './step.ts'

const signedIn = async ({ client: use }: Route, { headers, state }: ServedEvent): Promise<void> => {
  const token = use === 'none' ? undefined : headers['client-authorization']?.trim()
  // Read side by side. Whoever is no merchant is told that, whatever became of the client.
  const reading = token ? checkClient(token) : undefined
  reading?.catch(() => {})
  const session = await checkSession(headers.authorization)
  await countOne(session.merchant, 'requests')
  state.session = session
  state.client = clientOf(session.merchant, await reading, use === 'required')
}

/**
 * Signs the caller of a Service route in, and the merchant's client where the route is for one, and counts the merchant's
 * requests, before anything of the body is parsed.
 */
export const signIn = (route: Route): Step => ({
  before: async ({ event, context }) => {
    if (route.level === 'service') await inTime(context, signedIn(route, event))
  },
})
