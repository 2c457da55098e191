import { checkClient, clientOf } from '../clients/sessions.ts'
import { validationProblem } from '../contract/refusal.ts'
import type { Route } from '../contract/route.ts'
import { countOne } from '../merchants/quotas/rates.ts'
import { checkSession } from '../merchants/sessions.ts'
import { inTime } from './in-time.ts'
import type { ServedEvent, Step } from './step.ts'

const refusedHeader = () =>
  validationProblem([
    { path: 'Client-Authorization', rule: 'no_client', expected: 'left out: this route knows no clients' },
  ])

const signedIn = async ({ client: use }: Route, { headers, state }: ServedEvent): Promise<void> => {
  const token = headers['client-authorization']?.trim()
  // Read side by side. Whoever is no merchant is told that, whatever became of the client.
  const reading = token && use !== 'refused' ? checkClient(token) : undefined
  reading?.catch(() => {})
  const session = await checkSession(headers.authorization)
  await countOne(session.merchant, 'requests')
  if (token && use === 'refused') throw refusedHeader()
  state.session = session
  state.client = await clientOf(session.merchant, reading, use)
}

/**
 * Signs the caller of a Service route in, and the merchant's client where the route is for one, and counts the merchant's
 * requests, before anything of the body is parsed. Refuses a client's token where the route does not heed it. Routes of
 * other levels have no merchant whose client it could be, and caches before them do not know the header.
 */
export const signIn = (route: Route): Step => ({
  before: async ({ event, context }) => {
    if (route.level === 'service') await inTime(context, signedIn(route, event))
  },
})
