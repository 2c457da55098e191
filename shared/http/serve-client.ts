import { checkClient, clientOf } from '../clients/sessions.ts'
import type { ClientUse } from '../contract/route.ts'
import { servingAfter } from './serve.ts'
import { signMerchantIn } from './serve-merchant.ts'

/** The function of a Service route that accepts the token of a signed-in client of the merchant. */
export const serveClient = servingAfter<Exclude<ClientUse, 'refused'>>(async (event, use) => {
  const token = event.headers['client-authorization']?.trim()
  // Read concurrently. An invalid merchant's session is reported before an invalid client's token.
  const reading = token ? checkClient(token) : undefined
  reading?.catch(() => {})
  const { merchant } = await signMerchantIn(event)
  event.state.client = await clientOf(merchant, reading, use)
})
