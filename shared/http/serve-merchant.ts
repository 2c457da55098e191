import { validationProblem } from '../contract/errors.ts'
import { countOne } from '../merchants/quotas.ts'
import { checkSession, type SignedIn } from '../merchants/sessions.ts'
import { servingAfter } from './serve.ts'
import type { ServedEvent } from './step.ts'

/** Notes the session that a request presents, and counts the merchant's requests. */
export const signMerchantIn = async ({ headers, state }: ServedEvent): Promise<SignedIn> => {
  state.session = await checkSession(headers.authorization)
  await countOne(state.session.merchant, 'requests')
  return state.session
}

const refusedHeader = () =>
  validationProblem([
    { path: 'Client-Authorization', rule: 'no_client', expected: 'left out: this route does not accept client tokens' },
  ])

/** The function of a Service route that is for no client: it refuses a client's token, which it would not heed. */
export const serveMerchant = servingAfter<'refused'>(async event => {
  await signMerchantIn(event)
  if (event.headers['client-authorization']?.trim()) throw refusedHeader()
})
