import type { PaymentItem } from '../platform/table/items.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import { paypalCertificates } from './paypal/certificates.ts'
import { credentialsOfAccount } from './paypal/credentials.ts'
import type { WebhookTrust } from './paypal/signature.ts'
import { sandboxTrust } from './sandbox/trust.ts'

/**
 * Whose signature counts for a payment: that of the account that took it, by the id of its own webhook, so that one
 * merchant's PayPal app cannot speak for another's. Null when the credentials name no webhook for that account, and for
 * the sandbox outside the twin. Throws payment_provider_error when the credentials cannot be read.
 */
export const webhookTrust = async (
  merchant: MerchantId,
  { provider, account }: Pick<PaymentItem, 'provider' | 'account'>,
): Promise<WebhookTrust | null> => {
  if (provider !== 'paypal') return sandboxTrust()
  const { webhookId, baseUrl = '' } = (await credentialsOfAccount(merchant, account)) ?? {}
  return webhookId ? { webhookId, certificates: paypalCertificates(baseUrl) } : null
}
