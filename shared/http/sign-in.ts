import { checkClient, clientOf } from '../clients/sessions.ts'
import { validationProblem } from '../contract/refusal.ts'
import type { Route } from '../contract/route.ts'
import { checkSession } from '../merchants/sessions.ts'
import { countOne } from '../quotas/rates.ts'
import { inTime } from './in-time.ts'
import type { ServedEvent, Step } from './step.ts'

const clientToken = ({ headers }: ServedEvent): string | undefined =>
  headers['client-authorization']?.trim() || undefined

const signedIn = async ({ client: use }: Route, event: ServedEvent): Promise<void> => {
  const token = use === 'refused' ? undefined : clientToken(event)
  // Read side by side. Whoever is no merchant is told that, whatever became of the client.
  const reading = token ? checkClient(token) : undefined
  reading?.catch(() => {})
  const session = await checkSession(event.headers.authorization)
  await countOne(session.merchant, 'requests')
  event.state.session = session
  event.state.client = await clientOf(session.merchant, reading, use)
}

const refusedHeader = () =>
  validationProblem([
    { path: 'Client-Authorization', rule: 'no_client', expected: 'left out: this route knows no clients' },
  ])

/**
 * Signs the caller of a Service route in, and the merchant's client where the route is for one, and counts the merchant's
 * requests, before anything of the body is parsed. Refuses the token of a client where the route does not heed it.
 */
export const signIn = (route: Route): Step => ({
  before: async ({ event, context }) => {
    if (route.level === 'service') await inTime(context, signedIn(route, event))
    if (route.client === 'refused' && clientToken(event)) throw refusedHeader()
  },
})
