import { checkClient, clientOf } from '../clients/sessions.ts'
import type { ClientUse } from '../contract/route.ts'
import { servingAfter } from './serve.ts'
import { signMerchantIn } from './serve-merchant.ts'

/** The function of a Service route that heeds the merchant's client who is signed in besides. */
export const serveClient = servingAfter<Exclude<ClientUse, 'refused'>>(async (event, use) => {
  const token = event.headers['client-authorization']?.trim()
  // Read side by side. Whoever is no merchant is told that, whatever became of the client.
  const reading = token ? checkClient(token) : undefined
  reading?.catch(() => {})
  const { merchant } = await signMerchantIn(event)
  event.state.client = await clientOf(merchant, reading, use)
})
