import { log } from '../platform/log.ts'
import type { Merchant, PaymentItem } from '../platform/table/items.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import type { Credentials } from './paypal/client.ts'
import type { Provider } from './provider.ts'
import { checkSandboxAllowed, ProviderRefusal } from './provider-failure.ts'

// A provider holds a token, which outlives the five minutes for which its credentials are kept.
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
 * The provider that a merchant is set to; the sandbox when it is set to none. Throws ProviderUnusable when the merchant's
 * credentials are missing, or the sandbox may not pay in this stage.
 */
export const providerOf = async ({
  id,
  payment_provider = 'sandbox',
}: Pick<Merchant, 'id' | 'payment_provider'>): Promise<Provider> => {
  if (payment_provider === 'paypal') {
    const { paypalCredentials } = await import('./paypal/credentials.ts')
    return paypalOf((await paypalCredentials(id))[0])
  }
  checkSandboxAllowed()
  return theSandbox()
}

/**
 * The provider at which a payment was opened, whatever its merchant is set to by now. Throws payment_provider_error when
 * there are no credentials of that account (a ProviderRefusal: nothing was asked).
 */
export const providerOfPayment = async (
  merchant: MerchantId,
  { provider: name, account, uuid }: Pick<PaymentItem, 'provider' | 'account' | 'uuid'>,
): Promise<Provider> => {
  if (name !== 'paypal') return theSandbox()
  const { credentialsOfAccount } = await import('./paypal/credentials.ts')
  const found = await credentialsOfAccount(merchant, account)
  if (found) return paypalOf(found)
  log.error('the account that took a payment has no credentials any more', { merchant, payment: uuid })
  throw new ProviderRefusal('UNKNOWN_ACCOUNT')
}
