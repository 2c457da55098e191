import type { WebhookTrust } from '../paypal/signature.ts'

/** The id under which the twin's sandbox signs its events. */
export const sandboxWebhookId = 'SANDBOX'

/** The sandbox's events are signed by the twin, and count there alone: elsewhere it sends none. */
export const sandboxTrust = (): WebhookTrust | null => {
  const { STAGE: stage, SANDBOX_URL: url } = process.env
  if (stage !== 'twin' || !url) return null
  return { webhookId: sandboxWebhookId, certificates: { origin: new URL(url).origin, commonNames: ['localhost'] } }
}
