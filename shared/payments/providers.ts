import { defaultProvider, type ProviderName } from '../contract/vocabulary.ts'
import { log } from '../platform/log.ts'
import type { Merchant, Opened, PaymentItem } from '../platform/table/items.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import type { Delivery, Provider, ProviderModule } from './provider.ts'
import { ProviderRefusal } from './provider-failure.ts'

// Imported when they are needed: most requests need no provider. A name without a module does not compile.
const modules: Readonly<Record<ProviderName, () => Promise<ProviderModule>>> = {
  paypal: async () => (await import('./paypal/module.ts')).paypalModule,
  sandbox: async () => (await import('./sandbox/module.ts')).sandboxModule,
}

/**
 * The provider in a merchant's settings. Throws ProviderUnusable if the merchant's credentials are missing, or the sandbox
 * is not allowed in this stage.
 */
export const providerOf = async ({
  id,
  payment_provider = defaultProvider,
}: Pick<Merchant, 'id' | 'payment_provider'>): Promise<Provider> =>
  (await modules[payment_provider]()).ofMerchant(id as MerchantId)

type Account = Pick<Opened, 'provider' | 'account'>

/**
 * The provider at which a payment was opened; the merchant's settings may have changed since. Throws a ProviderRefusal if
 * the credentials of that account were removed, payment_provider_error if they cannot be read.
 */
export const providerOfPayment = async (
  merchant: MerchantId,
  { uuid, provider, account }: Account & Pick<PaymentItem, 'uuid'>,
): Promise<Provider> => {
  const opened = await (await modules[provider]()).ofAccount(merchant, account)
  if (opened) return opened
  log.error('the account that took a payment has no credentials any more', { merchant, payment: uuid })
  throw new ProviderRefusal('UNKNOWN_ACCOUNT')
}

/**
 * Verifies that an event about a payment is signed for the account that took it. Throws webhook_signature_invalid,
 * temporarily_unavailable if that cannot be found out now, payment_provider_error if the credentials cannot be read.
 */
export const verifyEvent = async (
  delivery: Delivery,
  merchant: MerchantId,
  { provider, account }: Account,
): Promise<void> => {
  await (await modules[provider]()).verifyEvent(delivery, merchant, account)
}
