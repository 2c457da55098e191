import { validationProblem } from '../contract/errors.ts'
import { countOne } from '../merchants/rates.ts'
import { checkSession, type SignedIn } from '../merchants/sessions.ts'
import type { RequestEvent } from './middleware.ts'
import { serveWithSignIn } from './serve.ts'

/** Stores the session of the request's token in the event's state, and counts the request in the merchant's quota. */
export const signMerchantIn = async ({ headers, state }: RequestEvent): Promise<SignedIn> => {
  state.session = await checkSession(headers.authorization)
  await countOne(state.session.merchant, 'requests')
  return state.session
}

const refusedHeader = () =>
  validationProblem([
    { path: 'Client-Authorization', rule: 'no_client', expected: 'left out: this route does not accept client tokens' },
  ])

/** Returns the Lambda handler of a Service route without clients: it refuses a client's token instead of ignoring it. */
export const serveMerchant = serveWithSignIn<'refused'>(async event => {
  await signMerchantIn(event)
  if (event.headers['client-authorization']?.trim()) throw refusedHeader()
})
