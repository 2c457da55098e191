import { log } from '../../platform/log.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import type { Provider, ProviderModule } from '../provider.ts'
import type { Credentials } from './client.ts'
import { credentialsOfAccount, paypalCredentials } from './credentials.ts'
import { paypal } from './paypal.ts'
import type { WebhookTrust } from './signature.ts'

// A provider holds an access token, which outlives the five minutes for which its credentials are cached.
const providers = new WeakMap<Credentials, Provider>()

const providerWith = (credentials: Credentials): Provider => {
  const provider = providers.get(credentials) ?? paypal(credentials)
  providers.set(credentials, provider)
  return provider
}

/**
 * The webhook and certificates by which an event about a payment must be signed: those of the account that took it, so
 * that no merchant's PayPal app can send events about another's payments. Null if that account has no webhook id.
 */
export const webhookTrust = async (merchant: MerchantId, account: string): Promise<WebhookTrust | null> => {
  const { webhookId, baseUrl = '' } = (await credentialsOfAccount(merchant, account)) ?? {}
  if (webhookId) return { webhookId, certificates: (await import('./certificates.ts')).paypalCertificates(baseUrl) }
  log.error('webhook event for an account without a webhook id in the credentials', { merchant })
  return null
}

export const paypalModule: ProviderModule = {
  ofMerchant: async merchant => providerWith((await paypalCredentials(merchant))[0]),
  ofAccount: async (merchant, account) => {
    const credentials = await credentialsOfAccount(merchant, account)
    return credentials && providerWith(credentials)
  },
  verifyEvent: async (delivery, merchant, account) => {
    // Only the webhook's function needs it.
    const { verifySignature } = await import('./signature.ts')
    await verifySignature(delivery, await webhookTrust(merchant, account))
  },
}
