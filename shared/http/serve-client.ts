import { checkClientSession, clientOf } from '../clients/sessions.ts'
import type { ClientUse } from '../contract/route.ts'
import { serveWithSignIn } from './serve.ts'
import { signMerchantIn } from './serve-merchant.ts'

/** Returns the Lambda handler of a Service route that accepts a client's token in `Client-Authorization`. */
export const serveClient = serveWithSignIn<Exclude<ClientUse, 'refused'>>(async (event, use) => {
  const token = event.headers['client-authorization']?.trim()
  // Both are read concurrently. An invalid session is reported before an invalid client token.
  const reading = token ? checkClientSession(token) : undefined
  reading?.catch(() => {})
  const { merchant } = await signMerchantIn(event)
  event.state.client = await clientOf(merchant, reading, use)
})
