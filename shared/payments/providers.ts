import { readThrough } from '../cache.ts'
import { readMerchant } from '../merchants/settings.ts'
import type { Merchant } from '../table/items.ts'
import type { MerchantId } from '../table/keys.ts'
import type { Credentials } from './paypal/client.ts'
import { paypalCredentials } from './paypal/credentials.ts'
import { paypal } from './paypal/paypal.ts'
import type { Provider } from './provider.ts'
import { sandbox } from './sandbox/sandbox.ts'

type Known = { provider: Provider; credentials: Credentials }

const isSame = (one: Credentials, other: Credentials): boolean =>
  one.clientId === other.clientId && one.clientSecret === other.clientSecret && one.baseUrl === other.baseUrl

const providers = readThrough<number, Known>({ max: 1000, trustedFor: 5 * 60_000 })

const paypalOf = async (merchant: number): Promise<Provider> => {
  const { provider } = await providers(merchant, async known => {
    const credentials = await paypalCredentials(merchant)
    // The provider holds a token, which outlives the five minutes.
    return known && isSame(known.credentials, credentials) ? known : { provider: paypal(credentials), credentials }
  })
  return provider
}

const theSandbox = sandbox()

/**
 * The provider that a merchant is set to; the sandbox when it is set to none. Throws payment_provider_error when the
 * merchant's credentials are missing.
 */
export const providerOf = async ({
  id,
  payment_provider = 'sandbox',
}: Pick<Merchant, 'id' | 'payment_provider'>): Promise<Provider> =>
  payment_provider === 'paypal' ? paypalOf(id) : theSandbox

/** The provider that the merchant of an id is set to. Throws payment_provider_error as providerOf does. */
export const providerFor = async (merchant: MerchantId): Promise<Provider> => providerOf(await readMerchant(merchant))
