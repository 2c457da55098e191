import type { WebhookTrust } from '../paypal/signature.ts'
import type { ProviderModule } from '../provider.ts'
import { checkSandboxAllowed } from '../provider-failure.ts'
import { sandbox } from './sandbox.ts'

const provider = sandbox()

/** The webhook id with which the twin's sandbox signs its events, as PayPal signs its own. */
export const sandboxWebhookId = 'SANDBOX'

/** Null outside of the twin, where nobody sends events of the sandbox. */
export const webhookTrust = (): WebhookTrust | null => {
  const { STAGE: stage, SANDBOX_URL: url } = process.env
  if (stage !== 'twin' || !url) return null
  return { webhookId: sandboxWebhookId, certificates: { origin: new URL(url).origin, commonNames: ['localhost'] } }
}

export const sandboxModule: ProviderModule = {
  ofMerchant: async () => {
    checkSandboxAllowed()
    return provider
  },
  ofAccount: async () => provider,
  verifyEvent: async delivery => (await import('../paypal/signature.ts')).verifySignature(delivery, webhookTrust()),
}
