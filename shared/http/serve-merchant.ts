import { validationProblem } from '../contract/errors.ts'
import { countOne } from '../merchants/quotas.ts'
import { checkSession, type SignedIn } from '../merchants/sessions.ts'
import { servingAfter } from './serve.ts'
import type { ServedEvent } from './step.ts'

/** The merchant whose session a request presents. Counts the merchant's requests. */
export const signedInMerchant = async ({ headers }: ServedEvent): Promise<SignedIn> => {
  const session = await checkSession(headers.authorization)
  await countOne(session.merchant, 'requests')
  return session
}

const refusedHeader = () =>
  validationProblem([
    { path: 'Client-Authorization', rule: 'no_client', expected: 'left out: this route knows no clients' },
  ])

/** The function of a Service route that is for no client: it refuses a client's token, which it would not heed. */
export const serveMerchant = servingAfter<'refused'>(async event => {
  const session = await signedInMerchant(event)
  if (event.headers['client-authorization']?.trim()) throw refusedHeader()
  return { session }
})
