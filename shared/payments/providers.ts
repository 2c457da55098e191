import { log } from '../platform/log.ts'
import type { Merchant, PaymentItem } from '../platform/table/items.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import type { Credentials } from './paypal/client.ts'
import type { WebhookTrust } from './paypal/signature.ts'
import type { Provider } from './provider.ts'
import { checkSandboxAllowed, ProviderRefusal } from './provider-failure.ts'

// Providers are imported when they are needed: most requests need none.

// A provider holds an access token, which outlives the five minutes for which its credentials are cached.
const paypals = new WeakMap<Credentials, Provider>()

const paypalOf = async (credentials: Credentials): Promise<Provider> => {
  const { paypal } = await import('./paypal/paypal.ts')
  const provider = paypals.get(credentials) ?? paypal(credentials)
  paypals.set(credentials, provider)
  return provider
}

let opened: Provider | undefined

const theSandbox = async (): Promise<Provider> => {
  const { sandbox } = await import('./sandbox/sandbox.ts')
  opened ??= sandbox()
  return opened
}

/**
 * The provider in a merchant's settings; by default the sandbox. Throws ProviderUnusable if the merchant's credentials are
 * missing, or the sandbox is not allowed in this stage.
 */
export const providerOf = async ({
  id,
  // Stryker disable next-line StringLiteral: Whatever is not paypal is the sandbox.
  payment_provider = 'sandbox',
}: Pick<Merchant, 'id' | 'payment_provider'>): Promise<Provider> => {
  if (payment_provider === 'paypal') {
    const { paypalCredentials } = await import('./paypal/credentials.ts')
    return paypalOf((await paypalCredentials(id))[0])
  }
  checkSandboxAllowed()
  return theSandbox()
}

type Opened = Pick<PaymentItem, 'provider' | 'account'>

const credentialsOf = async (merchant: MerchantId, { account }: Opened): Promise<Credentials | undefined> => {
  const { credentialsOfAccount } = await import('./paypal/credentials.ts')
  return credentialsOfAccount(merchant, account)
}

/**
 * The provider at which a payment was opened; the merchant's settings may have changed since. Throws a ProviderRefusal if
 * the credentials of that account were removed, payment_provider_error if they cannot be read.
 */
export const providerOfPayment = async (
  merchant: MerchantId,
  payment: Opened & Pick<PaymentItem, 'uuid'>,
): Promise<Provider> => {
  if (payment.provider !== 'paypal') return theSandbox()
  const credentials = await credentialsOf(merchant, payment)
  if (credentials) return paypalOf(credentials)
  log.error('the account that took a payment has no credentials any more', { merchant, payment: payment.uuid })
  throw new ProviderRefusal('UNKNOWN_ACCOUNT')
}

/** The webhook id with which the twin's sandbox signs its events. */
export const sandboxWebhookId = 'SANDBOX'

/**
 * The webhook and certificates by which an event about a payment must be signed: those of the account that took it, so
 * that no merchant's PayPal app can send events about another's payments. Null if that account has no webhook id, and for
 * the sandbox outside the twin. Throws payment_provider_error if the credentials cannot be read.
 */
export const webhookTrust = async (merchant: MerchantId, payment: Opened): Promise<WebhookTrust | null> => {
  if (payment.provider === 'paypal') {
    const { paypalCertificates } = await import('./paypal/certificates.ts')
    const { webhookId, baseUrl = '' } = (await credentialsOf(merchant, payment)) ?? {}
    return webhookId ? { webhookId, certificates: paypalCertificates(baseUrl) } : null
  }
  const { STAGE: stage, SANDBOX_URL: url } = process.env
  if (stage !== 'twin' || !url) return null
  return { webhookId: sandboxWebhookId, certificates: { origin: new URL(url).origin, commonNames: ['localhost'] } }
}
