import { readThrough } from '../cache.ts'
import { log } from '../log.ts'
import type { Merchant, PaymentItem } from '../table/items.ts'
import type { MerchantId } from '../table/keys.ts'
import type { Credentials } from './paypal/client.ts'
import { paypalCredentials } from './paypal/credentials.ts'
import { paypal } from './paypal/paypal.ts'
import type { Provider } from './provider.ts'
import { ProviderRefusal } from './provider-failure.ts'
import { checkStage, sandbox } from './sandbox/sandbox.ts'

type Known = { provider: Provider; credentials: Credentials }
type Accounts = [Known, ...Known[]]

const isSame = (one: Credentials, other: Credentials): boolean =>
  one.clientId === other.clientId && one.clientSecret === other.clientSecret && one.baseUrl === other.baseUrl

const accounts = readThrough<number, Accounts>({ max: 1000, trustedFor: 5 * 60_000 })

/** A merchant's accounts at PayPal, the present one first. */
const paypalsOf = (merchant: number): Promise<Accounts> =>
  accounts(merchant, async known => {
    // A provider holds a token, which outlives the five minutes.
    const accountOf = (credentials: Credentials): Known =>
      known?.find(one => isSame(one.credentials, credentials)) ?? { provider: paypal(credentials), credentials }
    const [present, ...former] = await paypalCredentials(merchant)
    return [accountOf(present), ...former.map(accountOf)]
  })

const theSandbox = sandbox()

/**
 * The provider that a merchant is set to; the sandbox when it is set to none. Throws ProviderUnusable when the merchant's
 * credentials are missing, or the sandbox may not pay in this stage.
 */
export const providerOf = async ({
  id,
  payment_provider = 'sandbox',
}: Pick<Merchant, 'id' | 'payment_provider'>): Promise<Provider> => {
  if (payment_provider === 'paypal') return (await paypalsOf(id))[0].provider
  checkStage()
  return theSandbox
}

/**
 * The provider at which a payment was opened, whatever its merchant is set to by now. Throws payment_provider_error when
 * there are no credentials of that account (a ProviderRefusal: nothing was asked).
 */
export const providerOfPayment = async (
  merchant: MerchantId,
  { provider: name, account, uuid }: Pick<PaymentItem, 'provider' | 'account' | 'uuid'>,
): Promise<Provider> => {
  if (name !== 'paypal') return theSandbox
  const all = await paypalsOf(merchant)
  const found = all.find(({ provider }) => provider.account === account)
  if (found) return found.provider
  log.error('the account that took a payment has no credentials any more', { merchant, payment: uuid })
  throw new ProviderRefusal('UNKNOWN_ACCOUNT')
}
